import Foundation
import KeepsakeCoding
import Testing

@Suite("JSON.Writer: doubles")
struct WriterNumberTests {
  /// Swift's own digits, but for the ".0" of a whole number.
  private func expected<T: CustomStringConvertible>(_ number: T) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private func text(_ numbers: [Double]) throws -> String {
    var writer = JSON.Writer(capacity: numbers.count * 25)
    try writer.write(numbers)
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  private func text(_ numbers: [Float]) throws -> String {
    var writer = JSON.Writer(capacity: numbers.count * 16)
    try writer.write(numbers)
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  private func check(_ numbers: [Double], sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    let numbers = numbers.filter(\.isFinite)
    let result = try text(numbers)
    let texts = result.dropFirst().dropLast().utf8.split(separator: UInt8(ascii: ","))
    #expect(texts.count == numbers.count, sourceLocation: sourceLocation)
    for (number, text) in zip(numbers, texts) where !text.elementsEqual(expected(number).utf8) {
      Issue.record("\(number) is \(String(text) ?? "")", sourceLocation: sourceLocation)
      return
    }
  }

  private func check(_ numbers: [Float], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let numbers = numbers.filter(\.isFinite)
    let result = try text(numbers)
    let texts = result.dropFirst().dropLast().utf8.split(separator: UInt8(ascii: ","))
    #expect(texts.count == numbers.count, sourceLocation: sourceLocation)
    for (number, text) in zip(numbers, texts) where !text.elementsEqual(expected(number).utf8) {
      Issue.record("\(number) is \(String(text) ?? "")", sourceLocation: sourceLocation)
      return
    }
  }

  @Test("of every exponent have Swift's digits") func ofEveryExponentHaveSwiftsDigits() throws {
    var numbers: [Double] = []
    var floats: [Float] = []
    for exponent in UInt64(0)..<2_047 {
      for fraction: UInt64 in [
        0, 1, 2, 3, 1 << 51, (1 << 52) - 1, (1 << 52) - 2, 0x5_5555_5555_5555,
      ] {
        let number = Double(bitPattern: exponent << 52 | fraction)
        numbers += [number, -number]
      }
    }
    for exponent in UInt32(0)..<255 {
      for fraction: UInt32 in [0, 1, 2, 3, 1 << 22, (1 << 23) - 1, (1 << 23) - 2, 0x2A_AAAA] {
        let number = Float(bitPattern: exponent << 23 | fraction)
        floats += [number, -number]
      }
    }
    try check(numbers)
    try check(floats)
  }

  @Test("near powers of ten and of two have Swift's digits") func nearPowersOfTenAndOfTwo() throws {
    var numbers: [Double] = []
    var floats: [Float] = []
    for exponent in -323...308 {
      guard let number = Double("1e\(exponent)") else { continue }
      numbers += [number, number.nextUp, number.nextDown, number * 9.5, number / 3]
    }
    for exponent in -45...38 {
      guard let number = Float("1e\(exponent)") else { continue }
      floats += [number, number.nextUp, number.nextDown, number * 9.5, number / 3]
    }
    for exponent in 0...64 {
      let number = Double(sign: .plus, exponent: exponent, significand: 1)
      numbers += [number, number - 1, number + 1, number - 0.5, number + 0.25]
      floats += [Float(number), Float(number) - 1, Float(number) + 1, Float(number) + 0.5]
    }
    for whole in 0..<20_000 {
      numbers += [Double(whole), Double(whole) / 100, Double(whole) * 1e3]
    }
    try check(numbers)
    try check(floats)
  }

  @Test("of random bits have Swift's digits, and are read back the same")
  func ofRandomBitsHaveSwiftsDigits() throws {
    // Ten million with optimization; without it that would take minutes.
    #if DEBUG
    let rounds = 2
    #else
    let rounds = 100
    #endif
    var random = RandomValues(seed: 21)
    for _ in 0..<rounds {
      let numbers = (0..<100_000).map { _ in Double(bitPattern: random.next()) }
      let finite = numbers.filter(\.isFinite)
      let texts = try text(finite).dropFirst().dropLast().split(separator: ",")
      #expect(texts.count == finite.count)
      for (number, text) in zip(finite, texts) {
        guard Double(text)?.bitPattern != number.bitPattern || text.utf8.count > 24 else {
          continue
        }
        Issue.record("\(number) is \(text)")
        return
      }
      try check(finite)
      try check(numbers.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0.bitPattern)) })
    }
  }
}
