import Testing

@testable import KeepsakeCoding

@Suite("Numbers of types for tables")
struct TypeHashTests {
  @Test("differ for types at equal distances of any size")
  func differForTypesAtEqualDistances() {
    for distance in stride(from: 8, through: 2_048, by: 8) {
      var counts = [Int](repeating: 0, count: 64)
      for place in 0..<32 {
        let address = 0x5555_5595_83A0 + place * distance
        let hash = unsafeBitCast(address, to: ObjectIdentifier.self).hash(bits: 6)
        counts[hash] += 1
      }
      // Four of a kind have room; with one multiplication, all 32 had the same at 144.
      let crowded = counts.filter { $0 > 4 }.count
      #expect(crowded <= 1, "\(distance): \(counts)")
      #expect((counts.max() ?? 0) <= 6, "\(distance): \(counts)")
    }
  }
}
