import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Numbers, to their last digit")
struct NumberTests {
  /// Decodes many numbers at once.
  private func doubles(_ texts: [String]) throws -> [Double] {
    try JSONDecoder().decode([Double].self, from: Data("[\(texts.joined(separator: ","))]".utf8))
  }

  private func check(_ texts: [String]) throws {
    let actual = try doubles(texts)
    try #require(actual.count == texts.count)
    for (text, number) in zip(texts, actual) {
      let expected = try #require(Double(text))
      if number.bitPattern != expected.bitPattern {
        Issue.record("\(text) became \(number), not \(expected)")
      }
    }
  }

  @Test(
    "Ten million random doubles come back, of shortest and of 17 digits",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: 0..<20)
  func tenMillionRandomDoublesComeBack(_ part: Int) throws {
    var random = SeededRandom(seed: UInt64(3000 + part))
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    for _ in 0..<250 {
      let numbers = (0..<2000).map { _ in
        var number = Double(bitPattern: random.next())
        while !number.isFinite { number = Double(bitPattern: random.next()) }
        return number
      }
      let copies = try decoder.decode([Double].self, from: encoder.encode(numbers))
      if copies.map(\.bitPattern) != numbers.map(\.bitPattern) {
        let pair = zip(numbers, copies).first { $0.bitPattern != $1.bitPattern }
        Issue.record("\(String(describing: pair))")
        return
      }
      // Printing 17 digits is slow.
      let sample = numbers.prefix(100)
      try check(sample.map { String(format: "%.16e", $0) } + sample.map { "\($0)" })
    }
  }

  @Test("Doubles of a few decimals, and their neighbors, are written as the standard library does")
  func doublesOfAFewDecimals() throws {
    var random = SeededRandom(seed: 37)
    var numbers: [Double] = [0.1, 0.3, 1e-6, 999_999_999.999_999, 1e9 + 1e-6, 0x1p52 - 0.5, 1e-7]
    var scale = 1.0
    for _ in 0..<9 {
      for digits in 1...15 {
        for _ in 0..<40 {
          let limit = UInt64(pow(10, Double(digits)))
          let number = Double(random.next() % limit) / scale
          numbers += [number, number.nextUp, number.nextDown, -number]
        }
      }
      scale *= 10
    }
    let texts = try JSONEncoder().encode(numbers)
    let expected = numbers.map { number in
      // JSON has no ".0".
      let text = "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    #expect(String(decoding: texts, as: UTF8.self) == "[\(expected.joined(separator: ","))]")
  }

  @Test("Doubles of every exponent are written as the standard library writes them")
  func doublesOfEveryExponentAreWritten() throws {
    var random = SeededRandom(seed: 31)
    var numbers: [Double] = []
    for exponent in UInt(0)..<2047 {
      let some: [UInt64] = [0, 1, (1 << 52) - 1]
      for fraction in some + (0..<20).map({ _ in random.next() >> 12 }) {
        numbers.append(
          Double(sign: .plus, exponentBitPattern: exponent, significandBitPattern: fraction))
      }
    }
    numbers += numbers.map { -$0 }
    try check(numbers.map { "\($0)" })
    let text = String(decoding: try JSONEncoder().encode(numbers), as: UTF8.self)
    let written = text.dropFirst().dropLast().split(separator: ",")
    try #require(written.count == numbers.count)
    for (text, number) in zip(written, numbers) {
      // As Foundation does, a whole number is written without its point.
      var expected = "\(number)"
      if expected.hasSuffix(".0") { expected.removeLast(2) }
      if text != expected { Issue.record("\(text) instead of \(expected)") }
    }
  }

  @Test("Numbers halfway between two doubles go to the even one")
  func numbersHalfwayBetweenTwoDoublesGo() throws {
    var texts = [
      "9007199254740993", "9007199254740992.5", "9007199254740993.0000000000000000000001",
      "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9406564584124654e-324",
      "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
      "17976931348623158079372897140530341507993413271003782693617377898044496829276475e229",
      "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
      "7.2057594037927933e16", "1e23", "8.5e22", "9.5367431640625e-7", "1e22", "1e-22",
      "123456789e15",
      "6929495644600919.5", "3.2378839133029012895883524125015321748630e-2", "5e-324", "3e-324",
    ]
    var random = SeededRandom(seed: 32)
    for _ in 0..<50_000 {
      // The digits exactly between a number below 2^62 and the next.
      let whole = (UInt64(1) << 53) | (random.next() >> 11)
      let shift = random.below(9) + 1
      let (product, overflow) = (2 * whole + 1).multipliedReportingOverflow(by: 1 << UInt64(shift))
      if !overflow {
        texts += ["\(product)", "\(product)e-\(random.below(30))", "\(product).00001"]
      }
    }
    try check(texts)
  }

  @Test("Random digits of any length are what the standard library makes of them")
  func randomDigitsOfAnyLengthAreWhat() throws {
    var random = SeededRandom(seed: 33)
    for _ in 0..<200 {
      try check(
        (0..<1000).map { _ in
          func digits(_ count: Int) -> String {
            (0..<count).map { _ in "\(random.below(10))" }.joined()
          }
          let length = random.happens(oneIn: 50) ? 800 : 24
          var text = random.happens(oneIn: 2) ? "-" : ""
          text += "\(1 + random.below(9))" + digits(random.below(length))
          if random.happens(oneIn: 2) { text += "." + digits(1 + random.below(length)) }
          if random.happens(oneIn: 2) { text += "e\(random.below(600) - 330 - text.count % 50)" }
          return (Double(text) ?? .infinity).isFinite ? text : "1"
        })
    }
  }

  @Test("Floats are rounded once") func floatsAreRoundedOnce() throws {
    var random = SeededRandom(seed: 34)
    for _ in 0..<100 {
      let numbers = (0..<1000).map { _ in
        let number = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
        return number.isFinite ? number : 1
      }
      let copies = try JSONDecoder().decode([Float].self, from: JSONEncoder().encode(numbers))
      #expect(copies.map(\.bitPattern) == numbers.map(\.bitPattern))
      let texts = numbers.map { "\(Double($0) + Double($0.ulp) / 2)" }
      let rounded = try JSONDecoder().decode(
        [Float].self, from: Data("[\(texts.joined(separator: ","))]".utf8))
      for (text, number) in zip(texts, rounded) where Float(text) != number {
        Issue.record("\(text) became \(number)")
      }
    }
    // A little more than halfway: rounding to a double first loses it.
    let close = "1.00000005960464477540"
    #expect(try JSONDecoder().decode(Float.self, from: Data(close.utf8)) == Float(close))
  }

  @Test("Integers of every width end where they end") func integersOfEveryWidthEnd() throws {
    func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
      let decoder = JSONDecoder()
      func decode(_ text: String) -> Number? { try? decoder.decode(type, from: Data(text.utf8)) }
      let ends = [Number.min, Number.max]
      for number in ends + [0, 1, Number.max / 2, Number.max / 10, Number.min / 10] {
        #expect(decode("\(number)") == number)
        #expect(decode("\(number).0") == number && decode("\(number)e0") == number)
        if number != 0 { #expect(decode("\(number)0e-1") == number) }
        let data = try JSONEncoder().encode([number])
        #expect(String(decoding: data, as: UTF8.self) == "[\(number)]")
      }
      // One beyond, ten times as much, and what wraps round.
      for text in ["\(Number.max)"] + (Number.isSigned ? ["\(Number.min)"] : ["-0"]) {
        let last = text.last.flatMap { $0.wholeNumberValue } ?? 0
        if text != "-0" { #expect(decode(text.dropLast() + "\(last + 1)") == nil) }
        if text != "-0" { #expect(decode(text + "0") == nil) }
      }
      #expect(decode(Number.isSigned ? "\(Number.min)0" : "-1") == nil)
      #expect(decode("-0") == 0 && decode("0.5") == nil && decode("1e-1") == nil)
      #expect(decode("1e999999999999") == nil && decode("\"1\"") == nil && decode("true") == nil)
      #expect(decode("340282366920938463463374607431768211456") == nil)
      #expect(decode("340282366920938463463374607431768211457") == nil)
      #expect(decode(String(repeating: "9", count: 1000)) == nil)
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int.self)
    try check(Int128.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt.self)
    try check(UInt128.self)
  }
}
