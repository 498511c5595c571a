#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// What encoders and containers are made of: a record, and what lets them write it.
  struct RecordHandle: ContainerCell {
    let state: UnsafeMutablePointer<RecordState>
    /// The number of the encoding that the record is of.
    let encoding: UInt64
    let record: Int

    /// What Foundation's coders write where there is no value.
    private static let null: StaticString = "$null"
  }
}

extension PropertyList.RecordHandle {
  typealias Kind = PropertyList.Records.Kind

  /// Whether the encoding goes on; otherwise the record may be another one's.
  @inline(__always)
  var isCurrent: Bool { state.pointee.encoding == encoding }

  @inline(__always)
  private func with(record: Int) -> Self {
    Self(state: state, encoding: encoding, record: record)
  }

  var codingPath: [any CodingKey] {
    isCurrent ? state.pointee.records.path(to: record) : []
  }

  var userInfo: [CodingUserInfoKey: Any] {
    guard isCurrent else { return [:] }
    return state.pointee.userInfo
  }

  // MARK: Elements

  /// Adds an element of a dictionary, which counts once it has its value.
  @inline(__always)
  func add(_ key: String, _ set: (Self) throws -> Void) rethrows {
    guard isCurrent else { return }
    let element = state.pointee.records.add(to: record, key: key)
    try set(with(record: element))
    state.pointee.records.link(element)
  }

  /// Adds an element of an array, which counts once it has its value.
  @inline(__always)
  func add(_ set: (Self) throws -> Void) rethrows {
    guard isCurrent else { return }
    let element = state.pointee.records.addElement(to: record)
    try set(with(record: element))
    state.pointee.records.link(element)
  }

  /// Adds an element of a dictionary, of any type: without a closure, which would be a call of its
  /// own where the type is not known.
  @inline(__always)
  func add<T: Encodable>(_ key: String, value: T) throws {
    guard isCurrent else { return }
    let element = state.pointee.records.add(to: record, key: key)
    try with(record: element).set(value: value)
    state.pointee.records.link(element)
  }

  /// Adds an element of an array, of any type.
  @inline(__always)
  func add<T: Encodable>(value: T) throws {
    guard isCurrent else { return }
    let element = state.pointee.records.addElement(to: record)
    try with(record: element).set(value: value)
    state.pointee.records.link(element)
  }

  /// The number of elements.
  var count: Int { isCurrent ? Int(state.pointee.records.records[record].count) : 0 }

  // MARK: Values

  func setNull() {
    state.pointee.records.set(record, textLength: Self.null.utf8CodeUnitCount) {
      $0.update(from: Self.null.utf8Start, count: Self.null.utf8CodeUnitCount)
    }
  }

  @inline(__always)
  func set(_ value: Bool) { state.pointee.records.set(record, value ? .true : .false) }

  @inline(__always)
  func set(_ value: String) { state.pointee.records.set(record, text: value) }

  @inline(__always)
  func set(_ value: Double) { state.pointee.records.set(record, .real, value.bitPattern) }

  @inline(__always)
  func set(_ value: Float) {
    state.pointee.records.set(record, .single, UInt64(value.bitPattern))
  }

  @inline(__always)
  func set(_ value: Int) {
    state.pointee.records.set(record, .integer, UInt64(bitPattern: Int64(value)))
  }

  @inline(__always)
  func set<T: FixedWidthInteger>(integer value: T) throws {
    if let number = Int64(exactly: value) {
      state.pointee.records.set(record, .integer, UInt64(bitPattern: number))
    } else if let number = UInt64(exactly: value) {
      state.pointee.records.set(record, .unsigned, number)
    } else {
      throw unfit(value)
    }
  }

  func dateWithoutText(_ record: Int) -> EncodingError {
    let bits = state.pointee.records.records[record].payload
    // Not the date: Foundation ends the program if it describes one that is not finite.
    let seconds = Double(bitPattern: bits)
    return .invalidValue(
      seconds,
      EncodingError.Context(
        codingPath: with(record: record).codingPath,
        debugDescription: """
          An XML property list has no text for a date outside the years 0 to 9999: \(seconds) seconds \
          since 2001-01-01.
          """))
  }

  @inline(never)
  private func unfit<T: FixedWidthInteger>(_ value: T) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath,
        debugDescription: "A property list cannot hold \(value): it has more than 64 bits."))
  }

  /// Writes a value of any type.
  @inline(__always)
  func set<T: Encodable>(value: T) throws {
    // A look at the size spares most types the comparisons.
    if MemoryLayout<T>.size == 16 {
      if T.self == String.self { return set(unsafeBitCast(value, to: String.self)) }
      if T.self == UUID.self {
        let uuid = unsafeBitCast(value, to: UUID.self)
        return state.pointee.records.set(record, textLength: 36) { uuid.write(to: $0) }
      }
      if T.self == Data.self { return state.pointee.records.set(record, data: value as! Data) }
    } else if MemoryLayout<T>.size == 8, setWord(value) {
      return
    }
    try value.encode(to: PropertyList.RecordEncoder(handle: self))
  }

  /// Writes a date, and arrays and dictionaries of plain values, which need not go through a
  /// container for each element.
  ///
  /// - Returns: Whether the value is one.
  @inline(__always)
  private func setWord<T>(_ value: T) -> Bool {
    if T.self == Date.self {
      let seconds = unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate
      state.pointee.records.set(record, .date, seconds.bitPattern)
      if !ISO8601.hasPropertyListText(secondsSinceReferenceDate: seconds) {
        state.pointee.hadDateWithoutText = true
      }
    } else if T.self == [String].self {
      setArray(unsafeBitCast(value, to: [String].self)) { $0.set($1) }
    } else if T.self == [Int].self {
      setArray(unsafeBitCast(value, to: [Int].self)) { $0.set($1) }
    } else if T.self == [Double].self {
      setArray(unsafeBitCast(value, to: [Double].self)) { $0.set($1) }
    } else if T.self == [String: String].self {
      setDictionary(unsafeBitCast(value, to: [String: String].self)) { $0.set($1) }
    } else if T.self == [String: Int].self {
      setDictionary(unsafeBitCast(value, to: [String: Int].self)) { $0.set($1) }
    } else if T.self == [String: Double].self {
      setDictionary(unsafeBitCast(value, to: [String: Double].self)) { $0.set($1) }
    } else {
      return false
    }
    return true
  }

  @inline(__always)
  private func setArray<Element>(_ elements: [Element], _ set: (Self, Element) -> Void) {
    state.pointee.records.set(record, .array)
    for value in elements { add { set($0, value) } }
  }

  @inline(__always)
  private func setDictionary<Value>(_ dictionary: [String: Value], _ set: (Self, Value) -> Void) {
    state.pointee.records.set(record, .dictionary)
    for (key, value) in dictionary { add(key) { set($0, value) } }
  }
}
