import KeepsakeBase
import KeepsakeTestSupport

/// JSON of every form that its grammar has, and what becomes of it by slips.
struct RandomText {
  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  // MARK: By the grammar

  mutating func text() -> [UInt8] {
    var output: [UInt8] = []
    space(&output)
    value(&output, depth: 0)
    space(&output)
    return output
  }

  private mutating func space(_ output: inout [UInt8]) {
    guard random.happens(oneIn: 6) else { return }
    for _ in 0..<random.below(4) { output.append(random.pick([0x20, 0x0A, 0x0D, 0x09])) }
  }

  private mutating func value(_ output: inout [UInt8], depth: Int) {
    switch random.below(depth > 4 ? 6 : 10) {
    case 0: output += "null".utf8
    case 1: output += random.pick(["true", "false"]).utf8
    case 2, 3: output += number().utf8
    case 4, 5: string(&output)
    case 6, 7:
      output.append(UInt8(ascii: "["))
      for place in 0..<random.below(5) {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        space(&output)
        value(&output, depth: depth + 1)
        space(&output)
      }
      space(&output)
      output.append(UInt8(ascii: "]"))
    default:
      output.append(UInt8(ascii: "{"))
      for place in 0..<random.below(4) {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        space(&output)
        if random.happens(oneIn: 3) {
          output += random.pick(["\"a\"", "\"value\"", "\"\"", "\"children\"", "\"\\u0061\""]).utf8
        } else {
          string(&output)
        }
        space(&output)
        output.append(UInt8(ascii: ":"))
        space(&output)
        value(&output, depth: depth + 1)
        space(&output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  mutating func number() -> String {
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in "\(random.below(10))" }.joined()
    }
    var text = random.happens(oneIn: 3) ? "-" : ""
    switch random.below(4) {
    case 0: text += "0"
    case 1: text += "\(1 + random.below(9))" + digits(random.below(25))
    default: text += "\(1 + random.below(9))" + digits(random.below(6))
    }
    if random.happens(oneIn: 3) { text += "." + digits(1 + random.below(20)) }
    if random.happens(oneIn: 3) {
      text += random.pick(["e", "E"]) + random.pick(["", "+", "-"])
      text += digits(1 + random.below(random.happens(oneIn: 8) ? 4 : 2))
    }
    return text
  }

  private mutating func string(_ output: inout [UInt8]) {
    output.append(0x22)
    for _ in 0..<random.below(10) {
      let scalar = Unicode.Scalar.sample(&random)
      switch random.below(6) {
      case 0:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.sample())
          output += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
        }
      case 1: output += "\\\(random.pick(["\"", "\\", "/", "b", "f", "n", "r", "t"]))".utf8
      default:
        let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        output += String(mustEscape ? "x" : Character(scalar)).utf8
      }
    }
    output.append(0x22)
  }

  // MARK: Slips

  /// Changes a few bytes.
  mutating func damage(_ bytes: inout [UInt8]) {
    for _ in 0...random.below(2) {
      guard !bytes.isEmpty else { return }
      let place = random.below(bytes.count)
      switch random.below(10) {
      case 0: bytes.remove(at: place)
      case 1: bytes.removeSubrange(place...)
      case 2: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 3: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 4: bytes.insert(contentsOf: bytes[place..<min(place + 4, bytes.count)], at: place)
      case 5: bytes.append(contentsOf: random.pick([" ", ",", "]", "}", "0", "null", "\n{}"]).utf8)
      default: bytes.insert(contentsOf: random.pick(Self.slips).utf8, at: place)
      }
    }
  }

  private static let slips = [
    ",", ":", "[", "]", "{", "}", "\"", "\\", "0", "-", ".", "e", "+", "1", "\\u", "\\ud800",
    "\\udc00", "\\u00", "\\x", "\u{1}", "\u{7F}", "true", "nul", "NaN", "Infinity", "//", "/**/",
    "'", "\u{FEFF}", "\u{2028}", "\u{A0}", "1e", "0x1", "00", "-0", "1.", ".5", "\n", "\t",
  ]

  /// Puts another value or key where one was.
  mutating func exchange(_ bytes: inout [UInt8]) {
    let tokens = Self.tokens(bytes)
    guard !tokens.isEmpty else { return }
    for _ in 0...random.below(2) {
      let token = random.pick(tokens)
      guard token.upperBound <= bytes.count else { return }
      var other = Array(random.pick(Self.others).utf8)
      if random.happens(oneIn: 4) { other = Array(number().utf8) }
      if random.happens(oneIn: 4) {
        let source = random.pick(tokens)
        if source.upperBound <= bytes.count { other = Array(bytes[source]) }
      }
      bytes.replaceSubrange(token, with: other)
      if other.count != token.count { return }
    }
  }

  private static let others = [
    "null", "true", "false", "0", "1", "-1", "300", "70000", "1.5", "1e2", "-0", "-0.0", "1e400",
    "1e-400", "99999999999999999999", "\"\"", "\"x\"", "\"1\"", "[]", "{}", "[1]", "{\"a\":1}",
    "1e9",
    "\"2020-08-14T20:00:00Z\"", "\"AAEC\"", "\"A\"", "\"NaN\"", "\"+∞\"", "\"http://a b\"",
    "[null]",
    "\"5F8287B1-5BB6-5F4C-AD17-316A40D5BB0C\"", "18446744073709551616", "9223372036854775808",
    "170141183460469231731687303715884105728", "0.1", "1.0", "5", "200",
  ]

  /// Whether there is a number that Foundation treats in a way of its own: one with a point or an
  /// exponent that is zero, too small, or whole as a double and perhaps not as it stands.
  static func hasOddNumbers(_ bytes: [UInt8]) -> Bool {
    tokens(bytes).contains { token in
      guard bytes[token].contains(where: { ".eE".utf8.contains($0) }),
        bytes[token.lowerBound] != 0x22
      else { return false }
      let number = Double(String(decoding: bytes[token], as: UTF8.self)) ?? .nan
      if !number.isFinite || abs(number) < 1e-30 { return true }
      return number == number.rounded() && (abs(number) >= 0x1p53 || token.count > 15)
    }
  }

  /// Where strings, numbers and words stand.
  static func tokens(_ bytes: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var place = 0
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case 0x22:
        place += 1
        while place < bytes.count, bytes[place] != 0x22 { place += bytes[place] == 0x5C ? 2 : 1 }
        place = min(place + 1, bytes.count)
        tokens.append(start..<place)
      case 0x5B, 0x5D, 0x7B, 0x7D, 0x2C, 0x3A, 0x20, 0x0A, 0x0D, 0x09: place += 1
      default:
        while place < bytes.count, !",:[]{} \n\"".utf8.contains(bytes[place]) { place += 1 }
        tokens.append(start..<max(place, start + 1))
        place = max(place, start + 1)
      }
    }
    return tokens
  }
}
