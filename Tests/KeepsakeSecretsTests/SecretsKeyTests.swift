#if Secrets
import Foundation
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite("The key of a store of secrets") struct SecretsKeyTests {
  static let cheap = SecretsKey.ScryptCost(rounds: 16, blockSize: 1)

  @Test("may be a passphrase, whose cost the file remembers") func passphrase() throws {
    let disk = SimulatedDisk()
    try SecretStore.onDisk(disk, key: .passphrase("open sesame", cost: Self.cheap)).set(1, for: "a")
    let other = SecretStore.onDisk(
      disk, key: .passphrase("open sesame", cost: SecretsKey.ScryptCost(rounds: 32, blockSize: 1)))
    #expect(try other.value(for: "a") == 1)
    try other.set(2, for: "a")
    let text = String(decoding: disk.bytes(at: SecretStore.path)!, as: UTF8.self)
    #expect(text.contains("\"rounds\" : 16"))
  }

  @Test("may be a credential of the service manager") func credential() throws {
    let disk = SimulatedDisk()
    try disk.write([UInt8](repeating: 7, count: 40), to: "/run/credentials/app/store")
    let key = SecretsKey.credential("store", in: "/run/credentials/app")
    try SecretStore.onDisk(disk, key: key).set(1, for: "a")
    #expect(try SecretStore.onDisk(disk, key: key).value(for: "a") == 1)
    let missing = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk, key: .credential("other", in: "/run/credentials/app")).names()
    }
    #expect(missing.code == .keyUnavailable)
    let unset = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk, key: .credential("store")).names()
    }
    #expect(unset.code == .keyUnavailable)
  }

  @Test(
    "that is another opens nothing and destroys nothing",
    arguments: [
      SecretsKey.passphrase("open barley", cost: cheap), .keyFile("/media/other.key"),
    ])
  func wrongKey(_ wrong: SecretsKey) throws {
    for right in [
      SecretsKey.passphrase("open sesame", cost: Self.cheap), .keyFile("/media/app.key"),
    ] {
      let disk = SimulatedDisk()
      try disk.write([UInt8](repeating: 9, count: 32), to: "/media/other.key")
      try SecretStore.onDisk(disk, key: right).set(1, for: "a")
      let before = disk.bytes(at: SecretStore.path)
      let store = SecretStore.onDisk(disk, key: wrong)
      let attempts: [() throws -> Void] = [
        { _ = try store.names() },
        { _ = try store.value(for: "a", as: Int.self) },
        { try store.set(2, for: "a") },
        { try store.remove("a") },
        { try store.rotateKey() },
        { _ = try store.recover() },
        { try store.acceptRollback() },
      ]
      for attempt in attempts {
        let error = try #require(throws: SecretError.self, performing: attempt)
        #expect(error.code == .wrongKey)
      }
      #expect(disk.bytes(at: SecretStore.path) == before)
      #expect(try SecretStore.onDisk(disk, key: right).value(for: "a") == 1)
    }
  }

  @Test("that is missing closes the store, and no new one is created") func missingKeyFile() throws
  {
    let disk = SimulatedDisk()
    try SecretStore.onDisk(disk).set(1, for: "a")
    let key = disk.bytes(at: SecretStore.keyPath)!
    try disk.remove(SecretStore.keyPath)
    let error = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk).set(2, for: "a")
    }
    #expect(error.code == .keyUnavailable)
    #expect(disk.bytes(at: SecretStore.keyPath) == nil)
    try disk.write(key, to: SecretStore.keyPath)
    #expect(try SecretStore.onDisk(disk).value(for: "a") == 1)
  }

  @Test(
    "that was moved away is not replaced by a rotation of an open store",
    arguments: [nil, SecretStore.keyPath, "/media/./app.key"] as [FilePath?])
  func missingKeyFileAtRotation(_ path: FilePath?) throws {
    let disk = SimulatedDisk()
    let store = SecretStore.onDisk(disk)
    try store.set(1, for: "a")
    let key = disk.bytes(at: SecretStore.keyPath)!
    let file = disk.bytes(at: SecretStore.path)
    let other = [UInt8](repeating: 7, count: 32)
    for (found, code) in [(nil, SecretError.Code.keyUnavailable), (other, .wrongKey)] {
      if let found {
        try disk.write(found, to: SecretStore.keyPath)
      } else {
        try disk.remove(SecretStore.keyPath)
      }
      let error = try #require(throws: SecretError.self) {
        try store.rotateKey(to: path.map { .keyFile($0) })
      }
      #expect(error.code == code)
      #expect(disk.bytes(at: SecretStore.keyPath) == found)
      #expect(disk.bytes(at: SecretStore.path) == file)
    }
    // Another key saves the secrets while the store is open.
    try store.rotateKey(to: .keyFile("/media/new.key"))
    #expect(try store.value(for: "a") == 1)
    try disk.write(key, to: SecretStore.keyPath)
    try store.rotateKey(to: .keyFile(SecretStore.keyPath))
    try store.rotateKey()
    #expect(try SecretStore.onDisk(disk).value(for: "a") == 1)
  }

  @Test("is refused if others can read it, or if it is short") func weakKeyFile() throws {
    for (bytes, permissions) in [(32, FilePermissions(rawValue: 0o640)), (31, .ownerReadWrite)] {
      let disk = SimulatedDisk()
      try disk.write(
        [UInt8](repeating: 1, count: bytes), to: SecretStore.keyPath, permissions: permissions)
      let error = try #require(throws: SecretError.self) {
        try SecretStore.onDisk(disk).set(1, for: "a")
      }
      #expect(error.code == .keyUnavailable)
      #expect(disk.bytes(at: SecretStore.path) == nil)
    }
  }

  @Test("is replaced by another, with which all secrets are encrypted again") func rotation() throws
  {
    let disk = SimulatedDisk()
    let old = SecretsKey.keyFile(SecretStore.keyPath)
    let new = SecretsKey.passphrase("open sesame", cost: Self.cheap)
    let store = SecretStore.onDisk(disk, key: old)
    let other = SecretStore.onDisk(disk, key: old)
    try store.set("x", for: "a")
    #expect(try other.value(for: "a") == "x")
    let before = try sealed(on: disk)
    try store.rotateKey(to: new)
    let after = try sealed(on: disk)
    #expect(before.secrets["a"]!.data != after.secrets["a"]!.data)
    #expect(try store.value(for: "a") == "x")
    #expect(try SecretStore.onDisk(disk, key: new).value(for: "a") == "x")
    let error = try #require(throws: SecretError.self) { try other.names() }
    #expect(error.code == .wrongKey)
    try store.set("y", for: "b")
    try store.rotateKey()
    #expect(try SecretStore.onDisk(disk, key: new).value(for: "b") == "y")
  }

  @Test("shows nothing of itself") func redaction() {
    let key = SecretsKey.passphrase("open sesame")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains("sesame"))
  }

  @Test("costs what scrypt permits") func hostileCost() throws {
    let disk = SimulatedDisk()
    let key = SecretsKey.passphrase("open sesame", cost: Self.cheap)
    try SecretStore.onDisk(disk, key: key).set(1, for: "a")
    let text = String(decoding: disk.bytes(at: SecretStore.path)!, as: UTF8.self)
    for rounds in ["0", "1", "17", "-16", "1073741824", "9223372036854775807"] {
      let hostile = text.split(separator: "\"rounds\" : 16").joined(
        separator: "\"rounds\" : \(rounds)")
      try disk.write(hostile.utf8, to: SecretStore.path)
      let error = try #require(throws: SecretError.self) {
        try SecretStore.onDisk(disk, key: key).names()
      }
      #expect(error.code == .damaged)
    }
  }

  /// Costs whose product is the largest that is permitted.
  static let largest = [(1 << 20, 2, 1), (1 << 18, 8, 1), (1 << 17, 16, 1), (1 << 14, 8, 16)]

  @Test("costs no more than is permitted, for any cost that the file requests")
  func boundedCost() throws {
    for (rounds, size, count) in Self.largest {
      for (rounds, size, count) in [
        (rounds * 2, size, count), (rounds, size * 2, count), (rounds, size, count * 2),
      ] {
        #expect(try code(afterRequesting: rounds, size, count) == .damaged)
      }
    }
    #expect(try code(afterRequesting: 1 << 16, 1, 1) == .damaged)
    #expect(SecretsKey.ScryptCost.standard.isUsable)
  }

  @Test(
    "may cost as much as is permitted", .enabled(if: isOptimized, "slow without optimization"))
  func largestCost() throws {
    for (rounds, size, count) in Self.largest {
      #expect(try code(afterRequesting: rounds, size, count) == .wrongKey)
    }
  }

  private static let isOptimized: Bool = {
    #if DEBUG
    false
    #else
    true
    #endif
  }()

  /// The code of the error when a store is opened whose file requests another cost.
  private func code(
    afterRequesting rounds: Int, _ size: Int, _ count: Int
  ) throws -> SecretError.Code {
    let disk = SimulatedDisk()
    let key = SecretsKey.passphrase("open sesame", cost: Self.cheap)
    try SecretStore.onDisk(disk, key: key).set(1, for: "a")
    let forged = String(decoding: disk.bytes(at: SecretStore.path)!, as: UTF8.self)
      .replacing("\"rounds\" : 16", with: "\"rounds\" : \(rounds)")
      .replacing("\"blockSize\" : 1", with: "\"blockSize\" : \(size)")
      .replacing("\"parallelism\" : 1", with: "\"parallelism\" : \(count)")
    try disk.write(forged.utf8, to: SecretStore.path)
    let error = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk, key: key).names()
    }
    return error.code
  }

  private func sealed(on disk: SimulatedDisk) throws -> SealedFile {
    try SealedFile(on: disk)
  }
}
#endif
