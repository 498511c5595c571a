#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.TapeValues {
  typealias Entry = PropertyList.Tape.Entry

  @inline(__always)
  func boolean(at index: Int) throws -> Bool {
    switch state.pointee.tape.kind(index) {
    case .true: return true
    case .false: return false
    default: throw mismatch(Bool.self, at: index)
    }
  }

  @inline(__always)
  func string(at index: Int) throws -> String {
    let entry = state.pointee.tape.entries[index]
    guard entry.kind == .string else { throw mismatch(String.self, at: index) }
    if state.pointee.tape.isNull(index) { throw null(String.self, at: index) }
    return state.pointee.tape.sharedText(of: entry)
  }

  @inline(__always)
  func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
    let entry = state.pointee.tape.entries[index]
    if entry.kind == .integer {
      let number = Int64(bitPattern: entry.payload)
      if let result = T(exactly: number) { return result }
    }
    return try otherInteger(type, at: index)
  }

  /// A whole number above `Int64.max`, or one that is written as another kind of number.
  @inline(never)
  private func otherInteger<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
    let entry = state.pointee.tape.entries[index]
    switch entry.kind {
    case .integer: throw unfit("\(Int64(bitPattern: entry.payload))", type, at: index)
    case .unsigned:
      guard let result = T(exactly: entry.payload) else {
        throw unfit("\(entry.payload)", type, at: index)
      }
      return result
    case .real:
      let number = Double(bitPattern: entry.payload)
      guard let result = T(exactly: number) else { throw unfit("\(number)", type, at: index) }
      return result
    default: throw mismatch(type, at: index)
    }
  }

  @inline(__always)
  func double(at index: Int) throws -> Double {
    let entry = state.pointee.tape.entries[index]
    switch entry.kind {
    case .real: return Double(bitPattern: entry.payload)
    case .integer: return Double(Int64(bitPattern: entry.payload))
    case .unsigned: return Double(entry.payload)
    default: throw mismatch(Double.self, at: index)
    }
  }

  /// A number of single precision: the nearest one where the format is of text, as Foundation has
  /// it, and none but the same number where the format is binary.
  func float(at index: Int) throws -> Float {
    let entry = state.pointee.tape.entries[index]
    switch entry.kind {
    case .integer: return Float(Int64(bitPattern: entry.payload))
    case .unsigned: return Float(entry.payload)
    case .real:
      let number = Double(bitPattern: entry.payload)
      let result = Float(number)
      if state.pointee.tape.format == .binary, Double(result) != number, !number.isNaN {
        throw unfit("\(number)", Float.self, at: index)
      }
      return result
    default: throw mismatch(Float.self, at: index)
    }
  }

  /// A date; in memory it may be a number of seconds from the reference date too.
  @inline(__always)
  func date(at index: Int) throws -> Date {
    let entry = state.pointee.tape.entries[index]
    if entry.kind != .date {
      guard state.pointee.tape.format == nil, entry.kind == .real || entry.kind == .integer else {
        throw mismatch(Date.self, at: index)
      }
      return Date(timeIntervalSinceReferenceDate: try double(at: index))
    }
    return Date(timeIntervalSinceReferenceDate: Double(bitPattern: entry.payload))
  }

  func data(at index: Int) throws -> Data {
    let entry = state.pointee.tape.entries[index]
    guard entry.kind == .data else { throw mismatch(Data.self, at: index) }
    do throws(PropertyList.Fault) {
      return try state.pointee.tape.sharedData(of: entry)
    } catch {
      throw fault(error, at: index)
    }
  }

  /// A UUID as it encodes itself, if it is one; what is wrong with another it says best.
  private func uuid(at index: Int) -> UUID? {
    let entry = state.pointee.tape.entries[index]
    guard entry.kind == .string, entry.length == 36 else { return nil }
    return UUID(
      text: UnsafeBufferPointer(start: state.pointee.tape.bytes(of: entry), count: entry.length))
  }

  /// A value of any type.
  @inline(__always)
  func value<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    // A look at the size spares most types the comparisons.
    if MemoryLayout<T>.size == 16 {
      if type == String.self { return unsafeBitCast(try string(at: index), to: T.self) }
      if type == UUID.self, let uuid = uuid(at: index) { return unsafeBitCast(uuid, to: T.self) }
      if type == Data.self { return try data(at: index) as! T }
    } else if MemoryLayout<T>.size == 8, let value = try word(type, at: index) {
      return value
    }
    return try type.init(from: PropertyList.TapeDecoder(storage: storage, index: index))
  }

  /// A date, or an array or dictionary of plain values, which need not go through a container for
  /// each element; `nil` if the type is none of these.
  @inline(__always)
  private func word<T>(_ type: T.Type, at index: Int) throws -> T? {
    if type == Date.self { return unsafeBitCast(try date(at: index), to: T.self) }
    if type == [String].self {
      return unsafeBitCast(try array(at: index) { try string(at: $0) }, to: T.self)
    }
    if type == [Int].self {
      return unsafeBitCast(try array(at: index) { try integer(Int.self, at: $0) }, to: T.self)
    }
    if type == [Double].self {
      return unsafeBitCast(try array(at: index) { try double(at: $0) }, to: T.self)
    }
    if type == [String: String].self {
      return unsafeBitCast(try dictionary(at: index) { try string(at: $0) }, to: T.self)
    }
    if type == [String: Int].self {
      return unsafeBitCast(
        try dictionary(at: index) { try integer(Int.self, at: $0) }, to: T.self)
    }
    if type == [String: Double].self {
      return unsafeBitCast(try dictionary(at: index) { try double(at: $0) }, to: T.self)
    }
    return nil
  }

  /// The elements of an array that are all of one kind.
  @inline(__always)
  private func array<Element>(
    at index: Int, element: (Int) throws -> Element
  ) throws -> [Element] {
    guard state.pointee.tape.kind(index) == .array else { throw mismatch([Any].self, at: index) }
    let entry = state.pointee.tape.entries[index]
    var elements: [Element] = []
    elements.reserveCapacity(Int(entry.payload >> 32))
    // Each element is one entry, or is none of the kind.
    for index in index &+ 1..<max(entry.length, index &+ 1) {
      elements.append(try element(index))
    }
    return elements
  }

  /// The entries of a dictionary whose values are all of one kind.
  @inline(__always)
  private func dictionary<Value>(
    at index: Int, value: (Int) throws -> Value
  ) throws -> [String: Value] {
    guard state.pointee.tape.kind(index) == .dictionary else {
      throw mismatch([String: Any].self, at: index)
    }
    let end = state.pointee.tape.entries[index].length
    var dictionary = [String: Value](minimumCapacity: (end - index) / 2)
    var key = index &+ 1
    while key < end {
      if !state.pointee.tape.isSuperseded(key) {
        let text = state.pointee.tape.sharedText(of: state.pointee.tape.entries[key])
        dictionary[text] = try value(key &+ 1)
      }
      key = state.pointee.tape.end(of: key &+ 1)
    }
    return dictionary
  }
}
