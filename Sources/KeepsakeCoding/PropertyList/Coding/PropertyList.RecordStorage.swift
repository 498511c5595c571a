#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PropertyList {
  /// Keeps records for the encoders and containers that write them.
  ///
  /// Each of them holds this object, so that what one writes that is kept after encoding has ended
  /// goes nowhere, but not astray.
  final class RecordStorage {
    let records: UnsafeMutablePointer<Records>
    let userInfo: [CodingUserInfoKey: any Sendable]

    init(userInfo: [CodingUserInfoKey: any Sendable]) {
      records = .allocate(capacity: 1)
      records.initialize(to: Records())
      self.userInfo = userInfo
    }

    deinit {
      records.pointee.free()
      records.deinitialize(count: 1)
      records.deallocate()
    }
  }
}

extension PropertyList.RecordStorage {
  typealias Kind = PropertyList.Records.Kind

  /// What Foundation's coders write where there is no value.
  static let null = "$null"

  @inline(__always)
  func set<T: FixedWidthInteger>(_ record: Int, integer value: T) throws {
    if let number = Int64(exactly: value) {
      records.pointee.set(record, .integer, UInt64(bitPattern: number))
    } else if let number = UInt64(exactly: value) {
      records.pointee.set(record, .unsigned, number)
    } else {
      throw unfit(value, record)
    }
  }

  @inline(never)
  private func unfit<T: FixedWidthInteger>(_ value: T, _ record: Int) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: records.pointee.path(to: record),
        debugDescription: "A property list cannot hold \(value): it has more than 64 bits."))
  }

  @inline(__always)
  func set(_ record: Int, double value: Double) {
    records.pointee.set(record, .real, value.bitPattern)
  }

  @inline(__always)
  func set(_ record: Int, float value: Float) {
    records.pointee.set(record, .single, UInt64(value.bitPattern))
  }

  /// Writes a value of any type.
  @inline(__always)
  func set<T: Encodable>(_ record: Int, value: T) throws {
    // A look at the size spares most types the comparisons.
    if MemoryLayout<T>.size == 16 {
      if T.self == String.self {
        return records.pointee.set(record, text: unsafeBitCast(value, to: String.self))
      }
      if T.self == UUID.self {
        let uuid = unsafeBitCast(value, to: UUID.self)
        return records.pointee.set(record, textLength: 36) { uuid.write(to: $0) }
      }
      if T.self == Data.self { return records.pointee.set(record, data: value as! Data) }
    } else if MemoryLayout<T>.size == 8, setWord(record, value) {
      return
    }
    try value.encode(to: PropertyList.RecordEncoder(storage: self, record: record))
  }

  /// Writes a date, and arrays and dictionaries of plain values, which need not go through a
  /// container for each element.
  ///
  /// - Returns: Whether the value is one.
  @inline(__always)
  private func setWord<T>(_ record: Int, _ value: T) -> Bool {
    if T.self == Date.self {
      let seconds = unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate
      records.pointee.set(record, .date, seconds.bitPattern)
    } else if T.self == [String].self {
      setArray(record, unsafeBitCast(value, to: [String].self)) {
        records.pointee.set($0, text: $1)
      }
    } else if T.self == [Int].self {
      setArray(record, unsafeBitCast(value, to: [Int].self)) {
        records.pointee.set($0, .integer, UInt64(bitPattern: Int64($1)))
      }
    } else if T.self == [Double].self {
      setArray(record, unsafeBitCast(value, to: [Double].self)) { set($0, double: $1) }
    } else if T.self == [String: String].self {
      setDictionary(record, unsafeBitCast(value, to: [String: String].self)) {
        records.pointee.set($0, text: $1)
      }
    } else if T.self == [String: Int].self {
      setDictionary(record, unsafeBitCast(value, to: [String: Int].self)) {
        records.pointee.set($0, .integer, UInt64(bitPattern: Int64($1)))
      }
    } else if T.self == [String: Double].self {
      setDictionary(record, unsafeBitCast(value, to: [String: Double].self)) {
        set($0, double: $1)
      }
    } else {
      return false
    }
    return true
  }

  @inline(__always)
  private func setArray<Element>(
    _ record: Int, _ elements: [Element], _ set: (Int, Element) -> Void
  ) {
    records.pointee.set(record, .array)
    for value in elements {
      let element = records.pointee.addElement(to: record)
      set(element, value)
      records.pointee.link(element)
    }
  }

  @inline(__always)
  private func setDictionary<Value>(
    _ record: Int, _ dictionary: [String: Value], _ set: (Int, Value) -> Void
  ) {
    records.pointee.set(record, .dictionary)
    for (key, value) in dictionary {
      let element = records.pointee.add(to: record, key: key)
      set(element, value)
      records.pointee.link(element)
    }
  }

  // MARK: Containers

  /// Makes a record a container, or finds that it is one already.
  @inline(__always)
  func open(_ record: Int, _ kind: Kind) {
    let present = records.pointee.records[record].kind
    if present == .none {
      records.pointee.set(record, kind)
    } else {
      precondition(
        present == kind, "a value encodes itself as a container after it has encoded something else"
      )
    }
  }

  /// The container for a key, which may be there already.
  func openElement(of record: Int, key: String, _ kind: Kind) -> Int {
    if let element = records.pointee.element(of: record, key: key) {
      open(element, kind)
      return element
    }
    let element = records.pointee.add(to: record, key: key)
    records.pointee.set(element, kind)
    records.pointee.link(element)
    return element
  }

  func openElement(of record: Int, _ kind: Kind) -> Int {
    let element = records.pointee.addElement(to: record)
    records.pointee.set(element, kind)
    records.pointee.link(element)
    return element
  }
}
