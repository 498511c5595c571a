import Foundation
import KeepsakeBase
import Testing

@testable import KeepsakeCoding

@Suite("Records: keys")
struct KeyOrderTests {
  /// Keys that differ in the first bytes, far behind them, or only in length.
  private func keys(_ count: Int, _ random: inout SeededRandom) -> [String] {
    let starts = [
      "", "a", "same first bytes ", "same first bytes é", "\u{0}", "zzzzzzzz", "zzzzzzz",
    ]
    return (0..<count).map { _ in
      starts.randomElement(using: &random)! + String(Int.random(in: 0..<200, using: &random))
    }
  }

  @Test(
    "are sorted by their bytes, and of equal ones the last counts", arguments: [2, 20, 49, 400])
  func areSorted(count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    for _ in 0..<50 {
      var records = Records()
      defer { records.free() }
      records.set(0, .dictionary)
      var expected: [[UInt8]: Int] = [:]
      for (place, key) in keys(count, &random).enumerated() {
        let element = records.add(to: 0, key: key)
        records.set(element, .integer, UInt64(place))
        records.link(element)
        expected[Array(key.utf8)] = place
      }
      var elements = GrowingBuffer<Int>()
      records.appendSortedElements(of: 0, to: &elements)
      let sorted = expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      #expect(
        (0..<elements.count).map { Array(records.keyBytes(elements[$0])) } == sorted.map(\.key))
      #expect(
        (0..<elements.count).map { Int(records.records[elements[$0]].payload) }
          == sorted.map(\.value))
    }
  }

  @Test("and texts of every length are kept, and known to be ASCII or not") func texts() {
    for length in 0...200 {
      let plain = (0..<length).map { UInt8(32 + $0 % 90) }
      for place in -1..<length {
        var text = plain
        if place >= 0 { text[place] = 0x80 | text[place] }
        var records = Records()
        defer { records.free() }
        let element = text.withUnsafeBufferPointer { records.add(to: 0, key: $0) }
        #expect(Array(records.keyBytes(element)) == text)
        #expect(records.records[element].isKeyASCII == (place < 0))
        let word = (0..<8).reduce(0 as UInt64) { $0 << 8 | UInt64($1 < length ? text[$1] : 0) }
        #expect(records.records[element].prefix == word)
      }
    }
  }
}
