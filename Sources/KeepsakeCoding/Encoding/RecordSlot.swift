#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A record that gets its value.
struct RecordSlot {
  let state: UnsafeMutablePointer<EncodingState>
  let record: Int

  /// What Foundation's coders write where there is no value in a property list.
  private static let null: StaticString = "$null"

  /// The handle of what is encoded into the record.
  var handle: EncodingHandle {
    EncodingHandle(
      state: state, token: state.pointee.firstRecordToken &+ UInt64(truncatingIfNeeded: record))
  }

  @inline(__always)
  private var isJSON: Bool { state.pointee.options.format == .json }

  @inline(never)
  private func setText(_ write: (inout JSON.Writer) -> Void) {
    let start = state.pointee.writer.count
    write(&state.pointee.writer)
    state.pointee.setText(record, from: start)
  }

  // MARK: Plain values

  func setNull() {
    if isJSON { return setText { $0.writeNull() } }
    state.pointee.records.set(record, textLength: Self.null.utf8CodeUnitCount) {
      $0.update(from: Self.null.utf8Start, count: Self.null.utf8CodeUnitCount)
    }
  }

  @inline(__always)
  func set(_ value: Bool) {
    if isJSON { return setText { $0.write(value) } }
    state.pointee.records.set(record, value ? .true : .false)
  }

  @inline(__always)
  func set(_ value: String) {
    if isJSON { return setText { $0.write(value) } }
    state.pointee.records.set(record, text: value)
  }

  @inline(__always)
  func set<T: FixedWidthInteger>(integer value: T) throws {
    if isJSON { return setText { $0.write(value) } }
    if let number = Int64(exactly: value) {
      state.pointee.records.set(record, .integer, UInt64(bitPattern: number))
    } else if let number = UInt64(exactly: value) {
      state.pointee.records.set(record, .unsigned, number)
    } else {
      throw unfit(value)
    }
  }

  @inline(__always)
  func set(_ value: Double) throws {
    if isJSON { return try set(value: value) }
    state.pointee.records.set(record, .real, value.bitPattern)
  }

  @inline(__always)
  func set(_ value: Float) throws {
    if isJSON { return try set(value: value) }
    state.pointee.records.set(record, .single, UInt64(value.bitPattern))
  }

  @inline(never)
  private func unfit<T: FixedWidthInteger>(_ value: T) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: handle.codingPath,
        debugDescription: "A property list cannot hold \(value): it has more than 64 bits."))
  }

  private func set(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    state.pointee.records.set(record, .date, seconds.bitPattern)
    if !ISO8601.hasPropertyListText(secondsSinceReferenceDate: seconds) {
      state.pointee.hadDateWithoutText = true
    }
  }

  /// The error of a date that XML has no text for.
  var dateWithoutText: EncodingError {
    // Not the date: Foundation ends the program if it describes one that is not finite.
    let seconds = Double(bitPattern: state.pointee.records.records[record].payload)
    return .invalidValue(
      seconds,
      EncodingError.Context(
        codingPath: handle.codingPath,
        debugDescription: """
          An XML property list has no text for a date outside the years 0 to 9999: \(seconds) seconds \
          since 2001-01-01.
          """))
  }

  // MARK: Any value

  /// Encodes a value of any type.
  func set<T: Encodable>(value: T) throws {
    let kind = state.pointee.types.kind(of: T.self)
    if case .own = kind { return try setOwn(value) }
    if isJSON { return try setAsJSON(value) }
    switch kind {
    // Only JSON has a way of its own for them.
    case .url, .decimal: try setOwn(value)
    // The table says that `T` is the type that the kind stands for.
    default: try withUnsafePointer(to: value) { try set(kind, UnsafeRawPointer($0)) }
    }
  }

  /// Sets a value of a type that is known.
  ///
  /// - Parameter value: A value of the type that `kind` stands for.
  private func set(_ kind: EncodingKind, _ value: UnsafeRawPointer) throws {
    @inline(__always)
    func load<U>(_ type: U.Type) -> U { value.assumingMemoryBound(to: type).pointee }
    switch kind {
    case .bool: set(load(Bool.self))
    case .int: try set(integer: load(Int.self))
    case .int8: try set(integer: load(Int8.self))
    case .int16: try set(integer: load(Int16.self))
    case .int32: try set(integer: load(Int32.self))
    case .int64: try set(integer: load(Int64.self))
    case .int128: try set(integer: load(Int128.self))
    case .uint: try set(integer: load(UInt.self))
    case .uint8: try set(integer: load(UInt8.self))
    case .uint16: try set(integer: load(UInt16.self))
    case .uint32: try set(integer: load(UInt32.self))
    case .uint64: try set(integer: load(UInt64.self))
    case .uint128: try set(integer: load(UInt128.self))
    case .float: try set(load(Float.self))
    case .double: try set(load(Double.self))
    case .string: set(load(String.self))
    case .date: set(load(Date.self))
    case .data: state.pointee.records.set(record, data: load(Data.self))
    case .uuid:
      let uuid = load(UUID.self)
      state.pointee.records.set(record, textLength: 36) { uuid.write(to: $0) }
    case .direct(let type):
      try type.encode(at: value, with: handle, key: .none, entry: EncodingMark())
    case .url, .decimal, .own: break
    }
  }

  private func setOwn<T: Encodable>(_ value: T) throws {
    let handle = handle
    guard handle.enterRecursion() else {
      state.pointee.recursion &-= 1
      throw EncodingError.tooDeep(at: handle.codingPath)
    }
    defer { state.pointee.recursion &-= 1 }
    try value.encode(to: ValueEncoder(handle: handle))
  }

  private func setAsJSON<T: Encodable>(_ value: T) throws {
    let start = state.pointee.writer.count
    try handle.encode(value, at: .none, entry: EncodingMark())
    if state.pointee.records.records[record].kind == .none {
      state.pointee.setText(record, from: start)
    }
  }
}
