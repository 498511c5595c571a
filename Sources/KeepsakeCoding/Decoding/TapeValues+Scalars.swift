#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Strings, Booleans and numbers.
extension TapeValues {
  @inline(__always) func string(_ index: Int) throws -> String {
    guard index >= 0, state.pointee.tape.is(.string, index) else {
      throw mismatch(String.self, at: index)
    }
    return state.pointee.tape.text(index)
  }

  @inline(__always) func bool(_ index: Int) throws -> Bool {
    if index >= 0 {
      if state.pointee.tape.is(.true, index) { return true }
      if state.pointee.tape.is(.false, index) { return false }
    }
    throw mismatch(Bool.self, at: index)
  }

  // MARK: Whole numbers

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ index: Int) throws -> Integer {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      return try bitInteger(type, index)
    }
    guard let value = state.pointee.tape.number(index).integer(as: type) else {
      throw outOfRange(type, at: index)
    }
    return value
  }

  /// A whole number of a property list.
  @inline(__always)
  private func bitInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ index: Int
  ) throws -> Integer {
    guard index >= 0, state.pointee.tape.is(.integer, index),
      let value = Integer(exactly: Int64(bitPattern: state.pointee.tape.bits(index)))
    else { return try otherInteger(type, index) }
    return value
  }

  /// A whole number above `Int64.max`, or one that is written as a real number.
  @inline(never)
  private func otherInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ index: Int
  ) throws -> Integer {
    guard index >= 0 else { throw mismatch(type, at: index) }
    let bits = state.pointee.tape.bits(index)
    let value: Integer?
    switch state.pointee.tape.kind(index) {
    case .integer: value = nil
    case .unsigned: value = Integer(exactly: bits)
    case .real: value = Integer(exactly: Double(bitPattern: bits))
    default: throw mismatch(type, at: index)
    }
    guard let value else { throw outOfRange(type, at: index) }
    return value
  }

  // MARK: Other numbers

  @inline(__always) func double(_ index: Int) throws -> Double {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      return try otherDouble(index)
    }
    guard let value = state.pointee.tape.number(index).double else {
      throw outOfRange(Double.self, at: index)
    }
    return value
  }

  @inline(__always) private func otherDouble(_ index: Int) throws -> Double {
    guard index >= 0, state.pointee.tape.is(.real, index) else {
      return try wholeNumber(Double.self, index)
    }
    return Double(bitPattern: state.pointee.tape.bits(index))
  }

  /// A number of single precision: the nearest one where the format is of text, as Foundation has
  /// it, and none but the same number where the format is binary.
  func float(_ index: Int) throws -> Float {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      return try otherFloat(index)
    }
    guard let value = state.pointee.tape.number(index).float else {
      throw outOfRange(Float.self, at: index)
    }
    return value
  }

  private func otherFloat(_ index: Int) throws -> Float {
    guard index >= 0, state.pointee.tape.is(.real, index) else {
      return try wholeNumber(Float.self, index)
    }
    let number = Double(bitPattern: state.pointee.tape.bits(index))
    let value = Float(number)
    if state.pointee.tape.format == .binary, Double(value) != number, !number.isNaN {
      throw outOfRange(Float.self, at: index)
    }
    return value
  }

  /// A whole number of a property list, or text that stands for a number which JSON does not have.
  @inline(never)
  private func wholeNumber<F: BinaryFloatingPoint>(_ type: F.Type, _ index: Int) throws -> F {
    guard index >= 0 else { throw mismatch(type, at: index) }
    switch state.pointee.tape.kind(index) {
    case .integer: return F(Int64(bitPattern: state.pointee.tape.bits(index)))
    case .unsigned: return F(state.pointee.tape.bits(index))
    case .string: return try nonConforming(type, at: index)
    default: throw mismatch(type, at: index)
    }
  }

  private func nonConforming<F: BinaryFloatingPoint>(_ type: F.Type, at index: Int) throws -> F {
    guard
      case .convertFromString(let positive, let negative, let nan) = state.pointee.options.float
    else { throw mismatch(type, at: index) }
    switch try string(index) {
    case positive: return .infinity
    case negative: return -.infinity
    case nan: return .nan
    default: throw mismatch(type, at: index)
    }
  }

  /// A decimal number of JSON.
  func decimal(_ index: Int) throws -> Decimal {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      throw mismatch(Decimal.self, at: index)
    }
    guard let value = state.pointee.tape.number(index).decimal else {
      throw outOfRange(Decimal.self, at: index)
    }
    return value
  }
}
