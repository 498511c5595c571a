import Dispatch
import KeepsakeBase
import KeepsakeCoding
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@testable import KeepsakeFiles
@testable import KeepsakeSettings

@Suite("Tables of names and slots")
struct TableTests {
  @Test("A table of names behaves like a dictionary, for any names")
  func names() {
    var random = SeededRandom(seed: 9)
    var table = NameTable<Int>()
    var dictionary: [String: Int] = [:]
    #expect(table.isEmpty && table[SettingsName("a")] == nil)
    for number in 0..<3000 {
      let name =
        ["a", "é", "K", "日", ""].randomElement(using: &random)! + "\(random.next() % 400)"
      table.set(number, for: SettingsName(name))
      dictionary[name] = number
    }
    var found: [String: Int] = [:]
    table.forEach { found[$0.string] = $1 }
    #expect(found == dictionary && !table.isEmpty)
    for (name, number) in dictionary {
      #expect(
        table[SettingsName(name)] == number && table.read(SettingsName(name)) { $0 } == number)
    }
    #expect(table[SettingsName("missing")] == nil)
  }

  private static func randomValues(
    _ count: Int, _ random: inout SeededRandom
  ) -> [String: PropertyList.Value] {
    var values: [String: PropertyList.Value] = [:]
    for number in 0..<count {
      let name =
        ["a", "é", "e\u{301}", "K", "日", ""].randomElement(using: &random)!
        + "\(random.next() % 200)"
      values[name] =
        switch random.next() % 4 {
        case 0: .string(String(repeating: "ä<&", count: number % 50))
        case 1: .integer(Int64(number))
        case 2: .array([.data(Data(repeating: 7, count: number)), .boolean(true)])
        default: .dictionary(["x": .real(0.5), "y": .array([])])
        }
    }
    return values
  }

  @Test("A table of values equals the dictionary or the property list that it is made of")
  func valueTables() throws {
    var random = SeededRandom(seed: 3)
    for count in [0, 1, 5, 8, 9, 300] {
      let values = Self.randomValues(count, &random)
      let xml = PropertyList.Value.dictionary(values).serializedXML()
      for table in [ValueTable(values), try ValueTable(parsing: xml)] {
        #expect(table.count == values.count)
        #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == values)
        #expect(table.map(\.key) == values.keys.sorted(by: PropertyList.precedes))
        for (name, value) in values { #expect(table[SettingsName(name)] == value) }
        #expect(table[SettingsName("missing")] == nil)
      }
    }
  }

  @Test("A table of values sorts its names and has the last value of each")
  func unsortedValues() throws {
    func table(_ names: [String]) throws -> ValueTable {
      let entries = names.enumerated().map { "<key>\($1)</key><integer>\($0)</integer>" }
      return try ValueTable(parsing: Array("<dict>\(entries.joined())</dict>".utf8))
    }
    let unsorted = try table(["b", "a", "c", "a"])
    #expect(unsorted.map(\.key) == ["a", "b", "c"])
    #expect(unsorted[SettingsName("a")] == .integer(3))
    // Equal strings with different bytes.
    let spellings = try table(["e\u{301}", "x", "\u{e9}"])
    #expect(spellings.count == 3)
    #expect(spellings[SettingsName("\u{e9}")] == .integer(2))
    #expect(spellings[SettingsName("e\u{301}")] == .integer(0))
    for text in ["<dict><key>a</key><data>?</data></dict>", "<array/>", "<dict>", ""] {
      #expect(throws: PropertyList.ParseError.self) { try ValueTable(parsing: Array(text.utf8)) }
    }
  }

  @Test("Values and their changes are merged in order, as in a dictionary")
  func mergedEntries() {
    var random = SeededRandom(seed: 4)
    for count in [0, 3, 100, 400] {
      let values = Self.randomValues(count, &random)
      let table = ValueTable(values)
      var changes: [String: PropertyList.Value?] = [:]
      for (name, value) in Self.randomValues(count / 2, &random) {
        changes[name] = random.next() % 3 == 0 ? .some(nil) : value
      }
      var expected = byName(values)
      for (name, value) in byName(changes) { expected[name] = value }
      let merged = Array(MergedEntries(table, byName(changes)))
      #expect(zip(merged, merged.dropFirst()).allSatisfy { PropertyList.precedes($0.key, $1.key) })
      #expect(merged.count == expected.count)
      #expect(merged.allSatisfy { expected[SettingsName($0.key)] == $0.value })
    }
  }

  @Test("Threads that request the slots of the same names get the same slots")
  func slots() {
    let table = SlotTable()
    let found = Mutex<[String: Set<ObjectIdentifier>]>([:])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for number in 0..<500 {
        let name = SettingsName("key \(number)")
        let slot = table.slot(named: name) { SettingsSlot(name: name) }
        #expect(table[name] === slot)
        _ = found.withLock { $0[name.string, default: []].insert(ObjectIdentifier(slot)) }
      }
    }
    #expect(found.withLock { $0.count == 500 && $0.values.allSatisfy { $0.count == 1 } })
    #expect(table[SettingsName("missing")] == nil)
  }

  @Test(
    "P9: A value's bytes are read back; cut bytes are refused, and changed ones do no harm")
  func values() throws {
    let value: PropertyList.Value = .dictionary([
      "string": .string("ä🚲"), "integer": .integer(.min), "unsigned": .unsigned(.max),
      "real": .real(0.1), "flags": .array([.boolean(true), .boolean(false)]),
      "data": .data(.init([1, 2, 3])), "date": .date(.init(timeIntervalSinceReferenceDate: 0.25)),
      "empty": .dictionary([:]),
    ])
    var buffer = ByteBuffer()
    BinaryValue.write(value, into: &buffer)
    let bytes = [UInt8](buffer.bytes)
    func read(_ bytes: [UInt8]) -> PropertyList.Value? {
      bytes.withUnsafeBytes { bytes in
        var reader = BinaryValue.Reader(bytes)
        let value = reader.readValue()
        return reader.isAtEnd ? value : nil
      }
    }
    #expect(read(bytes) == value)
    for length in bytes.indices {
      #expect(read(Array(bytes[..<length])) == nil, "cut at \(length)")
    }
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        _ = read(damaged)
      }
    }
    #expect(BinaryValue.digest(of: nil) == 0)
    #expect(BinaryValue.digest(of: .integer(1)) != BinaryValue.digest(of: .unsigned(1)))
  }
}
