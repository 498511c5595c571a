#if Secrets
import Foundation
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite("P3, P4: a damaged store of secrets") struct SecretsDamageTests {
  /// A disk with three secrets.
  static func disk(witness: FilePath? = nil) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = SecretStore.onDisk(disk, witness: witness)
    for name in ["a", "b", "c"] { try store.set("secret \(name)", for: name) }
    return disk
  }

  /// A disk with other bytes in the store's place, and the same key.
  static func copy(of disk: SimulatedDisk, holding bytes: [UInt8]) throws -> SimulatedDisk {
    let copy = SimulatedDisk()
    try copy.write(disk.bytes(at: SecretStore.keyPath)!, to: SecretStore.keyPath)
    try copy.write(bytes, to: SecretStore.path)
    return copy
  }

  static func all(of store: SecretStore) throws(SecretError) -> [String: String] {
    var secrets: [String: String] = [:]
    for name in try store.names() { secrets[name] = try store.value(for: name) }
    return secrets
  }

  @Test(
    "never returns a wrong secret after a flip of any bit",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func everyBit() throws {
    let disk = try Self.disk()
    let whole = disk.bytes(at: SecretStore.path)!
    let expected = ["a": "secret a", "b": "secret b", "c": "secret c"]
    var refused = 0
    for offset in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[offset] ^= 1 << bit
        try disk.write(bytes, to: SecretStore.path)
        let store = SecretStore.onDisk(disk)
        switch Result(catching: { () throws(SecretError) in try Self.all(of: store) }) {
        case .success(let secrets): #expect(secrets == expected)
        case .failure(let error):
          refused += 1
          #expect(error.file == SecretStore.path)
          #expect([.damaged, .wrongKey, .newerFormat].contains(error.code))
        }
        let change = Result { try store.set("x", for: "d") }
        if case .failure = change { #expect(disk.bytes(at: SecretStore.path) == bytes) }
      }
    }
    // What was not refused is white space in another form.
    #expect(refused > whole.count * 6)
  }

  @Test("is an error at every length, and is kept unchanged") func everyLength() throws {
    let disk = try Self.disk()
    let whole = disk.bytes(at: SecretStore.path)!
    // The last byte is a line's end, which JSON does not need.
    for length in 0..<whole.count - 1 {
      try disk.write(whole.prefix(length), to: SecretStore.path)
      let store = SecretStore.onDisk(disk)
      let error = try #require(throws: SecretError.self) { try store.set(1, for: "d") }
      #expect(error.code == .damaged)
      #expect("\(error)".contains("line"))
      #expect(disk.bytes(at: SecretStore.path) == Array(whole.prefix(length)))
    }
  }

  @Test("is refused where secrets changed places, were left out or came from before")
  func rearranged() throws {
    let disk = try Self.disk()
    let old = try SealedFile(on: disk)
    try SecretStore.onDisk(disk).set("secret a, newer", for: "a")
    let whole = try SealedFile(on: disk)
    var swapped = whole
    swapped.secrets["a"] = whole.secrets["b"]
    swapped.secrets["b"] = whole.secrets["a"]
    var shorter = whole
    shorter.secrets["a"] = nil
    var mixed = whole
    mixed.secrets["a"] = old.secrets["a"]
    var renumbered = whole
    renumbered.generation += 1
    for file in [swapped, shorter, mixed, renumbered] {
      try disk.write(JSON.Encoder().encodeToBytes(file), to: SecretStore.path)
      let error = try #require(throws: SecretError.self) { try SecretStore.onDisk(disk).names() }
      #expect(error.code == .damaged)
    }
  }

  @Test("of another app is refused") func anotherStore() throws {
    let disk = try Self.disk()
    let error = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk, identifier: "com.example.other").names()
    }
    let whole = disk.bytes(at: SecretStore.path)
    let recovery = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk, identifier: "com.example.other").recover()
    }
    #expect(recovery.code == .wrongKey)
    #expect(disk.bytes(at: SecretStore.path) == whole)
    #expect(error.code == .damaged)
    #expect("\(error)".contains("com.example.app"))
  }

  @Test("returns its intact secrets when asked, and is kept unchanged") func recovery() throws {
    let disk = try Self.disk()
    var file = try SealedFile(on: disk)
    file.secrets["b"]!.data[20] ^= 1
    let damaged = try JSON.Encoder().encodeToBytes(file)
    try disk.write(damaged, to: SecretStore.path)
    let store = SecretStore.onDisk(disk)
    let recovery = try store.recover()
    #expect(recovery.kept == ["a", "c"])
    #expect(recovery.lost == ["b"])
    #expect(recovery.isComplete)
    #expect(disk.bytes(at: recovery.quarantine) == damaged)
    #expect(try SecretStore.onDisk(disk).value(for: "c") == "secret c")
    #expect(try store.names() == ["a", "c"])
  }

  @Test(
    "returns every record before a cut at any offset",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func cutShort() throws {
    let disk = try Self.disk()
    let whole = disk.bytes(at: SecretStore.path)!
    let text = String(decoding: whole, as: UTF8.self)
    // Where each record ends, after which it can be returned.
    let ends = try ["a", "b", "c"].map { name in
      let record = try #require(
        text.range(of: "\"\(name)\"\\s*:\\s*\\{[^}]*\\}", options: .regularExpression))
      return text.utf8.distance(from: text.startIndex, to: record.upperBound)
    }
    var closed = 0
    // The last byte is a line's end, which JSON does not need.
    for length in 0..<whole.count - 1 {
      let cut = Array(whole.prefix(length))
      let disk = try Self.copy(of: disk, holding: cut)
      let store = SecretStore.onDisk(disk)
      let expected = zip(["a", "b", "c"], ends).filter { $0.1 <= length }.map(\.0)
      do throws(SecretError) {
        let recovery = try store.recover()
        #expect(recovery.kept == expected)
        #expect(!recovery.isComplete)
        #expect(disk.bytes(at: recovery.quarantine) == cut)
        for name in expected { #expect(try store.value(for: name) == "secret \(name)") }
        #expect(try SecretStore.onDisk(disk).names() == expected)
      } catch {
        closed += 1
        #expect(error.code == .damaged)
        #expect(expected.isEmpty)
        #expect(disk.bytes(at: SecretStore.path) == cut)
      }
    }
    // Without the whole of the data key nothing can be opened; it stands before all records.
    #expect(closed > 0 && closed < ends[0])
  }

  @Test("returns the records before a cut with a passphrase, too, whose cost is in the key")
  func cutShortWithPassphrase() throws {
    let disk = SimulatedDisk()
    let key = SecretsKey.passphrase(
      "open sesame", cost: SecretsKey.ScryptCost(rounds: 2, blockSize: 1))
    let store = SecretStore.onDisk(disk, key: key)
    for name in ["a", "b"] { try store.set("secret \(name)", for: name) }
    try disk.write(disk.bytes(at: SecretStore.path)!.dropLast(10), to: SecretStore.path)
    #expect(try SecretStore.onDisk(disk, key: key).recover().kept == ["a", "b"])
    #expect(try SecretStore.onDisk(disk, key: key).value(for: "b") == "secret b")
  }

  @Test(
    "returns every other record after a flip of any bit",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func everyBitRecovered() throws {
    let disk = try Self.disk()
    let whole = disk.bytes(at: SecretStore.path)!
    let text = String(decoding: whole, as: UTF8.self)
    // Without the key nothing can be opened, and nothing is touched that a newer version wrote.
    let key = try #require(text.range(of: #""key" : \{[^}]*\}"#, options: .regularExpression))
    let needed = text.utf8.distance(from: text.startIndex, to: key.upperBound)
    for offset in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[offset] ^= 1 << bit
        let disk = try Self.copy(of: disk, holding: bytes)
        let store = SecretStore.onDisk(disk)
        do throws(SecretError) {
          let kept = try store.recover().kept
          #expect(kept.count >= 2)
          for name in kept { #expect(try store.value(for: name) == "secret \(name)") }
        } catch {
          #expect(offset < needed, "\(error)")
          #expect(disk.bytes(at: SecretStore.path) == bytes)
        }
      }
    }
  }

  @Test("returns every record beside overwritten bytes") func overwritten() throws {
    let disk = try Self.disk()
    let whole = disk.bytes(at: SecretStore.path)!
    let text = String(decoding: whole, as: UTF8.self)
    let name = try #require(text.range(of: "\"b\""))
    let place = text.utf8.distance(from: text.startIndex, to: name.lowerBound)
    for (offset, count) in [(0, 3), (4, 1), (8, 20), (-3, 40), (20, 1)] {
      var bytes = whole
      for index in 0..<count { bytes[place + offset + index] = [0x22, 0x7B, 0x00][index % 3] }
      let disk = try Self.copy(of: disk, holding: bytes)
      let recovery = try SecretStore.onDisk(disk).recover()
      #expect(recovery.kept == ["a", "c"] || recovery.kept == ["c"] && offset < 0)
      #expect(try SecretStore.onDisk(disk).value(for: "c") == "secret c")
    }
  }

  @Test("accepts no forged record, however its name looks")
  func forged() throws {
    let disk = try Self.disk()
    let store = SecretStore.onDisk(disk)
    let odd = ["x\": {\"data\": \"AA==\", \"version\": 1}", "key", "\\", "{", "generation"]
    for name in odd { try store.set("secret \(name)", for: name) }
    var file = try SealedFile(on: disk)
    // Another's name, another's version, and one that no key ever sealed.
    file.secrets["a"] = file.secrets["b"]
    file.secrets["c"]!.version += 1
    file.secrets["d"] = SealedFile.SealedSecret(version: 1, data: Data(repeating: 7, count: 40))
    let bytes = try JSON.Encoder().encodeToBytes(file).dropLast()
    try disk.write(bytes, to: SecretStore.path)
    let recovery = try store.recover()
    #expect(recovery.kept == (odd + ["b"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(recovery.lost == ["a", "c", "d"])
    for name in odd { #expect(try store.value(for: name) == "secret \(name)") }
  }

  @Test(
    "finds the forms that Foundation finds",
    arguments: [
      "\u{e9}", "e\u{301}", "\u{1ec7}\u{301}", "e\u{302}\u{323}", "\u{ac01}",
      "\u{1100}\u{1161}\u{11a8}",
      "Gr\u{f6}\u{df}e \u{439}\u{451} \u{304c} \u{622}", "\u{1f82} \u{130} x\u{323}\u{301}y", "",
    ])
  func forms(_ text: String) {
    func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
    let decomposed = text.decomposedStringWithCanonicalMapping
    #expect(utf8(UnicodeForms.decomposed(text)) == utf8(decomposed))
    let composed = text.precomposedStringWithCanonicalMapping
    #expect(utf8(UnicodeForms.composed(decomposed)) == utf8(composed))
  }

  @Test("finds all forms of the letters of most alphabets") func allForms() {
    var missing: [String] = []
    for range in [0xC0...0x5FF, 0x1E00...0x1FFF, 0x3040...0x30FF, 0xAC00...0xAD00] {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let text = String(scalar)
        let decomposed = text.decomposedStringWithCanonicalMapping
        // One that normalization replaces in every form.
        if !text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8) { continue }
        if !UnicodeForms.decomposed(text).utf8.elementsEqual(decomposed.utf8)
          || !UnicodeForms.composed(decomposed).utf8.elementsEqual(text.utf8)
        {
          missing.append(String(value, radix: 16))
        }
      }
    }
    #expect(missing == [])
  }

  /// A file as earlier versions wrote it when a secret was replaced under another Unicode form of its
  /// name: the record of the new form, under the old form.
  private static func misnamed(
    on disk: SimulatedDisk, _ pairs: [(old: SecretName, new: SecretName)]
  ) throws {
    var file = try SealedFile(on: disk)
    for (old, new) in pairs { file.secrets[old] = file.secrets.removeValue(forKey: new) }
    let key = SecretsKey.keyFile(SecretStore.keyPath)
    let wrappingKey = try file.key.wrappingKey(from: key, in: disk)
    let dataKey = try #require(file.key.unwrap(of: file.store, with: wrappingKey))
    file.renewSeal(with: dataKey)
    try disk.write(JSON.Encoder().encodeToBytes(file), to: SecretStore.path)
  }

  @Test("P3: whose names have another Unicode form than their secrets opens, with all secrets")
  func misnamed() throws {
    let pairs: [(old: SecretName, new: SecretName)] = [
      ("\u{e9}", "e\u{301}"), ("o\u{308}", "\u{f6}"),
    ]
    let composed = Array("\u{f6}".utf8)
    for recovers in [false, true] {
      let disk = try Self.disk()
      let store = SecretStore.onDisk(disk)
      for pair in pairs { try store.set("secret \(pair.new.string)", for: pair.new.string) }
      try Self.misnamed(on: disk, pairs)
      if recovers {
        // Without its end the file is not JSON.
        try disk.write(disk.bytes(at: SecretStore.path)!.dropLast(), to: SecretStore.path)
        let recovery = try SecretStore.onDisk(disk).recover()
        #expect(recovery.lost == [])
        #expect(recovery.kept.contains { Array($0.utf8) == composed })
      }
      let opened = SecretStore.onDisk(disk)
      for round in 0..<3 {
        #expect(try opened.names().count == 5)
        for pair in pairs {
          let value: String? = try opened.value(for: pair.new.string)
          #expect(value == "secret \(pair.new.string)")
          #expect(try opened.value(for: pair.old.string, as: String.self) == nil)
        }
        #expect(try opened.value(for: "a") == "secret a")
        if round == 0 { try opened.rotateKey() }
        if round == 1 { try opened.set("secret b", for: "b") }
      }
      try opened.set("old", for: pairs[0].old.string)
      #expect(try opened.value(for: pairs[0].old.string) == "old")
      #expect(
        try opened.value(for: pairs[0].new.string) == "secret \(pairs[0].new.string)")
      // Both forms are kept from now on.
      try opened.rotateKey()
      let again = SecretStore.onDisk(disk)
      #expect(try again.names().count == 6)
      #expect(try again.value(for: pairs[0].old.string) == "old")
      #expect(try again.value(for: pairs[0].new.string) == "secret \(pairs[0].new.string)")
    }
  }

  @Test("P9: with a forged generation is recovered")
  func hugeGeneration() throws {
    let disk = try Self.disk()
    for generation in [UInt64.max, UInt64.max - 1] {
      var file = try SealedFile(on: disk)
      file.generation = generation
      try disk.write(JSON.Encoder().encodeToBytes(file), to: SecretStore.path)
      let store = SecretStore.onDisk(disk)
      #expect(try store.recover().kept == ["a", "b", "c"])
      try store.set("more", for: "a")
      try store.set("secret a", for: "a")
    }
  }

  @Test("of a newer format is refused and kept") func newerFormat() throws {
    let disk = try Self.disk()
    let bytes = Array(#"{"format": 2, "other": []}"#.utf8)
    try disk.write(bytes, to: SecretStore.path)
    let error = try #require(throws: SecretError.self) {
      try SecretStore.onDisk(disk).set(1, for: "d")
    }
    #expect(error.code == .newerFormat)
    #expect(disk.bytes(at: SecretStore.path) == bytes)
  }

  @Test("that cannot be reached is an error, not an empty one") func unavailable() throws {
    let disk = try Self.disk()
    disk.failAlways(.read)
    let error = try #require(throws: SecretError.self) { try SecretStore.onDisk(disk).names() }
    #expect(error.code == .unavailable || error.code == .keyUnavailable)
  }

  // MARK: Older copies

  @Test("that is older than the one this process saw is refused until it is accepted")
  func rolledBackWithinProcess() throws {
    let disk = try Self.disk()
    let old = disk.bytes(at: SecretStore.path)!
    let store = SecretStore.onDisk(disk)
    try store.set("secret a, newer", for: "a")
    try disk.write(old, to: SecretStore.path)
    let error = try #require(throws: SecretError.self) { try store.names() }
    #expect(error.code == .rolledBack)
    #expect(throws: SecretError.self) { try store.set(1, for: "d") }
    #expect(disk.bytes(at: SecretStore.path) == old)
    try store.acceptRollback()
    #expect(try store.value(for: "a") == "secret a")
    // Without a witness another process cannot know.
    #expect(try SecretStore.onDisk(disk).names() == ["a", "b", "c"])
  }

  @Test("with a generation that its key did not seal is not accepted") func forgedGeneration()
    throws
  {
    let witness: FilePath = "/other disk/witness"
    let disk = try Self.disk(witness: witness)
    let whole = disk.bytes(at: SecretStore.path)!
    let before = disk.bytes(at: witness)
    var file = try SealedFile(on: disk)
    for generation in [0, 1, 1 << 40, UInt64.max] {
      file.generation = generation
      try disk.write(JSON.Encoder().encodeToBytes(file), to: SecretStore.path)
      let store = SecretStore.onDisk(disk, witness: witness)
      let error = try #require(throws: SecretError.self) { try store.acceptRollback() }
      #expect(error.code == .damaged)
      #expect(disk.bytes(at: witness) == before)
    }
    try disk.write(whole, to: SecretStore.path)
    #expect(try SecretStore.onDisk(disk, witness: witness).names() == ["a", "b", "c"])
  }

  @Test(
    "is closed while its witness is not a generation", arguments: ["", "x", "18446744073709551615"])
  func damagedWitness(_ text: String) throws {
    let witness: FilePath = "/other disk/witness"
    let disk = try Self.disk(witness: witness)
    try disk.write(text.utf8, to: witness)
    let store = SecretStore.onDisk(disk, witness: witness)
    let attempts: [() throws -> Void] = [
      { _ = try store.names() }, { try store.set(1, for: "a") }, { _ = try store.recover() },
    ]
    for attempt in attempts {
      let error = try #require(throws: SecretError.self, performing: attempt)
      #expect(error.code == .damaged)
      #expect(error.file == witness)
    }
    try store.acceptRollback()
    #expect(try store.names() == ["a", "b", "c"])
  }

  @Test("that is older than its witness knows is refused by every process") func witness() throws {
    let witness: FilePath = "/other disk/witness"
    let disk = try Self.disk(witness: witness)
    let old = disk.bytes(at: SecretStore.path)!
    try SecretStore.onDisk(disk, witness: witness).set("secret a, newer", for: "a")
    for found in [old, nil] {
      if let found {
        try disk.write(found, to: SecretStore.path)
      } else {
        try disk.remove(SecretStore.path)
      }
      let store = SecretStore.onDisk(disk, witness: witness)
      let error = try #require(throws: SecretError.self) { try store.names() }
      #expect(error.code == .rolledBack)
    }
    let store = SecretStore.onDisk(disk, witness: witness)
    try store.acceptRollback()
    #expect(try store.names() == [])
    try store.set(1, for: "a")
    #expect(try SecretStore.onDisk(disk, witness: witness).value(for: "a") == 1)
  }
}

extension SealedFile {
  init(on disk: SimulatedDisk) throws {
    self = try JSON.Decoder().decode(SealedFile.self, from: disk.bytes(at: SecretStore.path)!)
  }
}
#endif
