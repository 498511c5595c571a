import Foundation
import KeepsakeBase
import KeepsakeCoding

/// Random property-list values, the same ones for the same seed.
struct RandomValues {
  private var random: SeededRandom
  /// Whether only values are made that Foundation keeps too.
  var isPortable = false

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  mutating func value(depth: Int = 0) -> PropertyList.Value {
    switch below(depth > 4 ? 7 : 9) {
    case 0: return .string(string())
    case 1: return .integer(Int64(bitPattern: next()) >> below(64))
    case 2: return .unsigned(next() | 1 << 63)
    case 3: return .real(real())
    case 4: return .boolean(next() & 1 == 0)
    case 5: return .date(Date(timeIntervalSinceReferenceDate: seconds()))
    case 6: return .data(Data((0..<below(90)).map { _ in UInt8(truncatingIfNeeded: next()) }))
    case 7: return .array((0..<below(5)).map { _ in value(depth: depth + 1) })
    default: return .dictionary(dictionary(count: below(5), depth: depth + 1))
    }
  }

  mutating func dictionary(count: Int, depth: Int = 1) -> [String: PropertyList.Value] {
    var result: [String: PropertyList.Value] = [:]
    while result.count < count { result[string()] = value(depth: depth) }
    return result
  }

  mutating func string() -> String {
    var text = ""
    for _ in 0..<below(24) { text.unicodeScalars.append(scalar()) }
    return text
  }

  private mutating func scalar() -> Unicode.Scalar {
    let number: UInt32
    switch below(8) {
    case 0: number = UInt32(below(0x20))
    case 1: number = [0x26, 0x3C, 0x3E, 0x22, 0x27, 0x5D, 0xFFFE, 0xFFFF, 0xFEFF][below(9)]
    case 2: number = UInt32(below(0x300))
    case 3: number = 0x300 + UInt32(below(0x40))
    case 4: number = UInt32(below(0x11_0000))
    default: number = 0x20 + UInt32(below(0x5F))
    }
    // Foundation writes what XML has no place for as it is, and reads some of it as nothing.
    if isPortable, number < 0x20 || number >= 0xFDD0 { return "x" }
    return Unicode.Scalar(number) ?? "\u{FFFD}"
  }

  private mutating func real() -> Double {
    switch below(4) {
    case 0: return Double(below(2000) - 1000) / 8
    case 1: return [0.0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude][below(5)]
    case 2: return .pi * Double(below(1_000_000))
    default:
      let number = Double(bitPattern: next())
      return number.isNaN ? 1 : number
    }
  }

  private mutating func seconds() -> Double {
    let whole = Double(below(20_000_000_000) - 10_000_000_000)
    if isPortable { return whole }
    switch below(4) {
    case 0: return whole + Double(below(1000)) / 1000
    case 1: return Double(Int64(bitPattern: next()) >> below(64)) / 1_000_000
    case 2: return real()
    default: return whole
    }
  }
}
