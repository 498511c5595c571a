#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// A number as it is written, of any size and precision.
  ///
  /// Two numbers are equal if they are the same number, however they are written: `1.0` is `1`.
  public struct Number: Sendable {
    /// The number as JSON.
    public let text: String

    /// Creates a number from its text.
    ///
    /// - Returns: `nil` if the text is not a number as RFC 8259, section 6, defines it.
    public init?(_ text: String) {
      var bytes = Array(text.utf8)
      let number = bytes.withUnsafeMutableBytes { buffer -> Bool in
        let input = InputBytes(copying: UnsafeRawBufferPointer(buffer))
        defer { withExtendedLifetime(input) {} }
        var reader = Reader(input, syntax: [], maximumDepth: 0)
        guard let first = buffer.first, first == 0x2D || first &- 0x30 < 10,
          (try? reader.scanNumber()) != nil
        else { return false }
        return reader.position == reader.end
      }
      guard number else { return nil }
      self.text = text
    }

    /// Creates a number from a whole one.
    public init(_ value: some FixedWidthInteger) { text = String(value) }

    /// Creates a number from a floating-point one, with the fewest digits that tell it from others.
    ///
    /// - Returns: `nil` if the value is not finite.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      text = Self.text(of: value)
    }

    init(floatLiteral value: Double) {
      precondition(value.isFinite, "JSON has no number for \(value)")
      text = Self.text(of: value)
    }

    private static func text(of value: Double) -> String {
      let text = value.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The number of a token; `nil` if it is not finite.
    init?(_ token: NumberToken) {
      guard !token.traits.contains(.isSpecial) else { return nil }
      text = token.plainText
    }

    /// The nearest double; `nil` if the number is too large for one.
    public var double: Double? {
      guard let value = Double(text), value.isFinite else { return nil }
      return value
    }

    /// The number as a whole one, if it is and fits.
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Int.self) -> Integer? {
      if let value = Integer(text) { return value }
      return withDigits { $0?.integer(as: type) }
    }

    /// The number in decimal; rounded if it has more than the 38 digits of a `Decimal`.
    public var decimal: Decimal? { Decimal(string: text) }

    private func withDigits<Result>(_ body: (Decimal128Digits?) -> Result) -> Result {
      var text = text
      return text.withUTF8 { body(Decimal128Digits($0)) }
    }
  }
}

extension JSON.Number: Hashable {
  private static let exponentBound: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000

  /// The digits without zeros at either end, and the exponent of the last one.
  ///
  /// An exponent of more than 36 digits leaves no other way than to take the text as it is.
  private var normal: (isNegative: Bool, digits: [UInt8], exponent: Int128) {
    var digits: [UInt8] = []
    var exponent: Int128 = 0
    var isFraction = false
    scan: for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isFraction { exponent -= 1 }
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let written = text.utf8.dropFirst(index + 1)
        var value: Int128 = 0
        for byte in written where byte &- 0x30 < 10 {
          value = value * 10 + Int128(byte &- 0x30)
          if value >= Self.exponentBound { break }
        }
        if value >= Self.exponentBound, !digits.isEmpty { return (false, Array(text.utf8), 0) }
        exponent += written.first == UInt8(ascii: "-") ? -value : value
        break scan
      default: break
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    return digits.isEmpty ? (false, [], 0) : (text.hasPrefix("-"), digits, exponent)
  }

  /// Whether two texts say the same number.
  public static func == (a: Self, b: Self) -> Bool { a.text == b.text || a.normal == b.normal }

  /// Hashes the number, however it is written.
  public func hash(into hasher: inout Hasher) {
    let normal = normal
    hasher.combine(normal.isNegative)
    hasher.combine(normal.digits)
    hasher.combine(normal.exponent)
  }
}

extension JSON.Number: CustomStringConvertible {
  /// The number as JSON.
  public var description: String { text }
}
