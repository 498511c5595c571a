#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSON.Writer {
  /// Writes a decimal number that is one, with all its digits and no exponent.
  mutating func write(_ number: Decimal) {
    if Self.knowsDecimals, let parts = DecimalParts(number) {
      write(parts)
    } else {
      writeUnescaped(number.description)
    }
  }

  /// Whether the parts of a decimal number are where they are expected, which numbers with
  /// different parts show: Foundation says nothing of where they are.
  private static let knowsDecimals: Bool = {
    let texts = ["-12345.678", "1", "7e30", "0.000012", "98765432109876543210987654321"]
    return texts.allSatisfy { text in
      guard let number = Decimal(string: text), let parts = DecimalParts(number) else {
        return false
      }
      var writer = JSON.Writer()
      writer.write(parts)
      return String(decoding: writer.finish(), as: UTF8.self) == number.description
    }
  }()

  private mutating func write(_ parts: DecimalParts) {
    // The digits, and 128 zeros at most.
    reserve(Digits.longest128 + 136)
    if parts.isNegative {
      next.pointee = UInt8(ascii: "-")
      next += 1
    }
    let exponent = parts.exponent
    let zero = UInt8(ascii: "0")
    if exponent >= 0 || parts.magnitude == 0 {
      next += Digits.write(parts.magnitude, to: next)
      if parts.magnitude != 0 {
        next.update(repeating: zero, count: exponent)
        next += exponent
      }
    } else {
      // The digits one place on, then those before the point moved back.
      let count = Digits.write(parts.magnitude, to: next + 1)
      let point = count + exponent
      if point > 0 {
        for index in 0..<point { next[index] = next[index + 1] }
        next[point] = UInt8(ascii: ".")
        next += count + 1
      } else {
        next[0] = zero
        next[1] = UInt8(ascii: ".")
        (next + 2).update(repeating: zero, count: -point)
        next += 2 - point
        next += Digits.write(parts.magnitude, to: next)
      }
    }
    next.pointee = UInt8(ascii: ",")
    next += 1
  }
}

/// The parts of a decimal number as they lie in memory.
private struct DecimalParts {
  var magnitude: UInt128
  /// From -128 to 127.
  var exponent: Int
  var isNegative: Bool

  /// - Returns: `nil` if the number has zeros at its end, or its size is not the expected one.
  init?(_ number: Decimal) {
    guard MemoryLayout<Decimal>.size == 20 else { return nil }
    let bytes = withUnsafeBytes(of: number) { bytes in
      (
        bytes.load(as: Int8.self), bytes.load(fromByteOffset: 1, as: UInt8.self),
        bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)
      )
    }
    guard bytes.1 & 0x04 != 0 else { return nil }
    exponent = Int(bytes.0)
    isNegative = bytes.1 & 0x08 != 0
    magnitude =
      UInt128(UInt64(littleEndian: bytes.3)) << 64 | UInt128(UInt64(littleEndian: bytes.2))
  }
}
