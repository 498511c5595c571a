import Foundation
import KeepsakeBase
import KeepsakeTestSupport

/// A type with random values, for what two coders make of the same ones.
protocol Sampled: Codable, Equatable, SendableMetatype {
  static func sample(_ random: inout SeededRandom) -> Self
}

extension SeededRandom {
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func happens(oneIn count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func sample<Value: Sampled>() -> Value { Value.sample(&self) }

  mutating func list<Value>(upTo count: Int, _ value: (inout SeededRandom) -> Value) -> [Value] {
    (0..<below(count + 1)).map { _ in value(&self) }
  }
}

extension FixedWidthInteger where Self: Sampled {
  /// Numbers of every length, and both ends.
  static func sample(_ random: inout SeededRandom) -> Self {
    switch random.below(8) {
    case 0: return random.pick([.min, .max, 0, 1])
    case 1: return .random(in: .min ... .max, using: &random)
    default:
      let number = Self.random(in: .min ... .max, using: &random)
      return number >> Self(truncatingIfNeeded: random.below(Self.bitWidth))
    }
  }
}

extension Int: Sampled {}
extension Int8: Sampled {}
extension Int16: Sampled {}
extension Int32: Sampled {}
extension Int64: Sampled {}
extension Int128: Sampled {}
extension UInt: Sampled {}
extension UInt8: Sampled {}
extension UInt16: Sampled {}
extension UInt32: Sampled {}
extension UInt64: Sampled {}
extension UInt128: Sampled {}

extension Bool: Sampled {
  static func sample(_ random: inout SeededRandom) -> Bool { random.happens(oneIn: 2) }
}

extension Double: Sampled {
  static func sample(_ random: inout SeededRandom) -> Double {
    switch random.below(12) {
    case 0: random.pick([.infinity, -.infinity, .nan])
    case 1:
      random.pick([0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e16, 1e-5, 1e23])
    case 2, 3: Double(bitPattern: random.next())
    case 4, 5: Double(random.below(1 << 53) - 1 << 52)
    case 6, 7: Double(random.below(2_000_000) - 1_000_000) / 1000
    default: Double(random.below(2000) - 1000)
    }
  }
}

extension Float: Sampled {
  static func sample(_ random: inout SeededRandom) -> Float {
    switch random.below(6) {
    case 0: random.pick([.infinity, -.infinity, .nan, 0, -0.0, .leastNonzeroMagnitude, 1e16])
    case 1, 2: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    default: Float(random.below(200_000) - 100_000) / 100
    }
  }
}

extension String: Sampled {
  static func sample(_ random: inout SeededRandom) -> String {
    let length = random.happens(oneIn: 16) ? 200 : 12
    let isPlain = random.happens(oneIn: 2)
    var text = ""
    for _ in 0..<random.below(length) {
      text.unicodeScalars.append(
        isPlain
          ? Unicode.Scalar(UInt8(0x20 + random.below(0x5F))) : Unicode.Scalar.sample(&random))
    }
    return text
  }
}

extension Unicode.Scalar {
  static func sample(_ random: inout SeededRandom) -> Unicode.Scalar {
    let number: UInt32 =
      switch random.below(8) {
      case 0: UInt32(random.below(0x20))
      case 1: random.pick([0x22, 0x5C, 0x2F, 0x7F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF, 0x85])
      case 2: UInt32(random.below(0x800))
      case 3: 0x300 + UInt32(random.below(0x40))
      case 4: UInt32(random.below(0x11_0000))
      case 5: 0x1F300 + UInt32(random.below(0x400))
      default: 0x20 + UInt32(random.below(0x5F))
      }
    return Unicode.Scalar(number) ?? "\u{FFFD}"
  }
}

extension Optional: Sampled where Wrapped: Sampled {
  static func sample(_ random: inout SeededRandom) -> Wrapped? {
    random.happens(oneIn: 3) ? nil : Wrapped.sample(&random)
  }
}

extension Array: Sampled where Element: Sampled {
  static func sample(_ random: inout SeededRandom) -> [Element] {
    random.list(upTo: 4) { $0.sample() }
  }
}

extension Set: Sampled where Element: Sampled {
  /// One element at most: sets have no order that two coders could agree on.
  static func sample(_ random: inout SeededRandom) -> Set<Element> {
    Set(random.list(upTo: 1) { $0.sample() })
  }
}

extension Dictionary: Sampled where Key: Sampled, Value: Sampled {
  static func sample(_ random: inout SeededRandom) -> [Key: Value] {
    // Others than strings and integers are written in the dictionary's own order.
    let isOrdered = Key.self == String.self || Key.self == Int.self || Key.self == ChosenKey.self
    return Dictionary(
      random.list(upTo: isOrdered ? 4 : 1) { ($0.sample(), $0.sample()) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Date: Sampled {
  static func sample(_ random: inout SeededRandom) -> Date {
    let seconds = Double(random.below(4_000_000_000) - 1_000_000_000)
    return Date(
      timeIntervalSince1970: random.happens(oneIn: 2)
        ? seconds : seconds + Double(random.below(1000)) / 1000)
  }
}

extension Data: Sampled {
  static func sample(_ random: inout SeededRandom) -> Data {
    Data(random.list(upTo: 20) { UInt8(truncatingIfNeeded: $0.next()) })
  }
}

extension UUID: Sampled {
  static func sample(_ random: inout SeededRandom) -> UUID {
    let (high, low) = (random.next(), random.next())
    return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}

extension URL: Sampled {
  static func sample(_ random: inout SeededRandom) -> URL {
    let text = random.pick([
      "https://example.com/a/b?c=d#e", "file:///tmp/a%20b", "relative/path", "mailto:a@b.c",
      "http://[::1]:8080/", "https://example.com/%E4%B8%80?q=1&r=\(random.below(1000))",
    ])
    return URL(string: text) ?? URL(fileURLWithPath: "/")
  }
}

extension Decimal: Sampled {
  static func sample(_ random: inout SeededRandom) -> Decimal {
    let significand = random.happens(oneIn: 4) ? random.below(1 << 62) : random.below(1 << 20)
    return Decimal(
      sign: random.sample() ? .plus : .minus, exponent: random.below(40) - 20,
      significand: Decimal(significand))
  }
}
