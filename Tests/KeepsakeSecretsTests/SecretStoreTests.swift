#if Secrets
import Foundation
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite("A store of secrets") struct SecretStoreTests {
  static func stores(_ disk: SimulatedDisk) -> [SecretStore] {
    [.inMemory(), .onDisk(disk)]
  }

  @Test("returns the values that it was given, of any type") func roundTrip() throws {
    struct Profile: Codable, Equatable {
      var user: String
      var since: Date
    }
    for store in Self.stores(SimulatedDisk()) {
      let profile = Profile(user: "Ända", since: Date(timeIntervalSinceReferenceDate: 0.25))
      try store.set("hunter2", for: "password")
      try store.set(profile, for: "profile")
      try store.set(Data([0, 255]), for: "key")
      #expect(try store.value(for: "password") == "hunter2")
      #expect(try store.value(for: "profile") == profile)
      #expect(try store.value(for: "key") == Data([0, 255]))
      #expect(try store.value(for: "nothing", as: String.self) == nil)
      #expect(try store.names() == ["key", "password", "profile"])
      try store.remove("password")
      try store.remove("nothing")
      #expect(try store.names() == ["key", "profile"])
    }
  }

  @Test("P9: keeps secrets of any names, which are equal if their UTF-8 bytes are") func names()
    throws
  {
    for store in Self.stores(SimulatedDisk()) {
      // More names than are compared one after the other.
      let names =
        ["", ".", "../../etc/passwd", "a\u{0}b", "\u{e9}", "e\u{301}", "%41", "A", "\u{212a}", "K"]
        + (0..<100).map { "n\($0)" }
      for name in names { try store.set(name + "!", for: name) }
      #expect(try store.names().count == names.count)
      for name in names { #expect(try store.value(for: name) == name + "!") }
      try store.transaction { secrets in
        for name in ["\u{e9}", "e\u{301}"] {
          let value = try secrets.value(for: name, as: String.self) ?? ""
          try secrets.set(value + "!", for: name)
        }
        secrets.remove("\u{212a}")
      }
      #expect(try utf8(store.value(for: "\u{e9}")) == Array("\u{e9}!!".utf8))
      #expect(try utf8(store.value(for: "e\u{301}")) == Array("e\u{301}!!".utf8))
      #expect(try store.value(for: "K") == "K!")
      #expect(try store.value(for: "\u{212a}", as: String.self) == nil)
      try store.remove("\u{e9}")
      #expect(try utf8(store.value(for: "e\u{301}")) == Array("e\u{301}!!".utf8))
      #expect(try store.names().count == names.count - 2)
    }
  }

  @Test(
    "P9: keeps names that are equal as strings apart in its file",
    arguments: [
      // The letter K is equal to the sign of the kelvin.
      ["K", "\u{212a}"], ["\u{e9}", "e\u{301}"],
      ["\u{e9}", "e\u{301}", "K", "\u{212a}"] + (0..<100).map { "n\($0)" },
    ])
  func equalNames(_ names: [String]) throws {
    let disk = SimulatedDisk()
    for name in names { try SecretStore.onDisk(disk).set(name + "!", for: name) }
    for round in 0..<3 {
      let store = SecretStore.onDisk(disk)
      let found = try store.names().map { Array($0.utf8) }
      #expect(Set(found) == Set(names.map { Array($0.utf8) }))
      for name in names { #expect(try utf8(store.value(for: name)) == Array("\(name)!".utf8)) }
      if round == 0 { try store.rotateKey() }
      if round == 1 {
        try disk.write(disk.bytes(at: SecretStore.path)!.dropLast(), to: SecretStore.path)
        #expect(try SecretStore.onDisk(disk).recover().kept.count == names.count)
      }
    }
  }

  private func utf8(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  @Test("changes several secrets together, or none") func transaction() throws {
    struct Stop: Error {}
    for store in Self.stores(SimulatedDisk()) {
      try store.set(1, for: "a")
      let sum = try store.transaction { secrets in
        let old = try secrets.value(for: "a", as: Int.self) ?? 0
        try secrets.set(old + 1, for: "a")
        try secrets.set(old + 2, for: "b")
        secrets.remove("c")
        return try secrets.value(for: "a", as: Int.self)! + secrets.value(for: "b")!
      }
      #expect(sum == 5)
      #expect(throws: Stop.self) {
        try store.transaction { secrets in
          secrets.remove("a")
          #expect(try secrets.value(for: "a", as: Int.self) == nil)
          throw Stop()
        }
      }
      #expect(try store.value(for: "a") == 2)
      #expect(try store.value(for: "b") == 3)
    }
  }

  @Test("P9: says that a secret is of another type, and shows nothing of it") func wrongType()
    throws
  {
    for store in Self.stores(SimulatedDisk()) {
      try store.set("hunter2", for: "password")
      let error = try #require(throws: SecretError.self) {
        try store.value(for: "password", as: Int.self)
      }
      #expect(error.code == .wrongType)
      #expect(!"\(error)".contains("hunter2"))
      #expect(try store.value(for: "password") == "hunter2")
    }
  }

  @Test("refuses what cannot be encoded, and shows nothing of it") func unencodable() throws {
    struct Talkative: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          "hunter2", .init(codingPath: [], debugDescription: "hunter2"))
      }
    }
    for store in Self.stores(SimulatedDisk()) {
      let error = try #require(throws: SecretError.self) { try store.set(Talkative(), for: "a") }
      #expect(error.code == .unencodable)
      #expect(!"\(error)".contains("hunter2"))
      #expect(try store.names() == [])
    }
  }

  @Test("P12: is empty without files, and makes none to say so") func noFiles() throws {
    let disk = SimulatedDisk()
    let store = SecretStore.onDisk(disk)
    #expect(try store.names() == [])
    try store.remove("a")
    #expect(disk.bytes(at: SecretStore.path) == nil)
    #expect(disk.bytes(at: SecretStore.keyPath) == nil)
  }

  @Test("P10: keeps its files for their owner alone, and no secret in the clear") func privacy()
    throws
  {
    let disk = SimulatedDisk()
    let store = SecretStore.onDisk(disk)
    try store.set("correct horse battery staple", for: "password")
    try store.rotateKey()
    try store.set("correct horse battery staple 2", for: "password")
    for (path, bytes) in disk.files {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("horse"), "\(path)")
      #expect(
        String(decoding: bytes, as: UTF8.self)
          .contains(Data("correct horse".utf8).base64EncodedString().prefix(14)) == false, "\(path)"
      )
      guard path.extension != "lock" else { continue }
      let permissions = try #require(try disk.information(at: path)).permissions
      #expect(permissions == .ownerReadWrite, "\(path)")
    }
  }

  @Test("P11: says in plain JSON which secrets it has") func plainFile() throws {
    let disk = SimulatedDisk()
    try SecretStore.onDisk(disk).set("x", for: "openai")
    let text = String(decoding: try #require(disk.bytes(at: SecretStore.path)), as: UTF8.self)
    #expect(text.contains("\"openai\""))
    #expect(text.contains("\"kind\" : \"keyFile\""))
    #expect(text.hasSuffix("}\n"))
  }

  @Test("P5: stores of one file follow each other and lose nothing") func severalWriters() throws {
    let disk = SimulatedDisk()
    let stores = (0..<3).map { _ in SecretStore.onDisk(disk) }
    for number in 0..<30 {
      try stores[number % 3].set(number, for: "n\(number)")
      try stores[number % 3].transaction { secrets in
        try secrets.set((secrets.value(for: "count") ?? 0) + 1, for: "count")
      }
    }
    for store in stores {
      #expect(try store.names().count == 31)
      #expect(try store.value(for: "count") == 30)
    }
    try stores[0].rotateKey()
    #expect(try stores[1].value(for: "n7") == 7)
    try stores[1].remove("n7")
    #expect(try stores[2].value(for: "n7", as: Int.self) == nil)
  }

  @Test("of no file has no key to change") func memoryHasNoKey() throws {
    let error = try #require(throws: SecretError.self) { try SecretStore.inMemory().rotateKey() }
    #expect(error.code == .unavailable)
  }
}

extension SecretStore {
  static let path: FilePath = "/data/secrets.json"
  static let keyPath: FilePath = "/media/app.key"

  /// A store on a simulated disk, as another process would open it.
  static func onDisk(
    _ files: any FileSystem, key: SecretsKey = .keyFile(keyPath), witness: FilePath? = nil,
    identifier: String = "com.example.app"
  ) -> SecretStore {
    SecretStore(file: path, identifier: identifier, key: key, witness: witness, fileSystem: files)
  }
}
#endif
