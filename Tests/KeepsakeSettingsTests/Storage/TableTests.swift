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

@Suite("The tables of names and slots")
struct TableTests {
  @Test("A table of names does what a dictionary does, for any names")
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
      #expect(table[SettingsName(name)] == number && table.contains(SettingsName(name)))
    }
    #expect(!table.contains(SettingsName("not there")))
  }

  @Test("Threads that ask for the slots of the same names get the same slots")
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
    #expect(table[SettingsName("not there")] == nil)
  }

  @Test(
    "P9: A value's bytes are read back, and what is cut off or changed is refused or another value")
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
