/// Writes a single value.
struct SingleEntry: SingleValueEncodingContainer {
  let handle: EncodingHandle

  var codingPath: [any CodingKey] { handle.codingPath }

  /// Whether the value is the innermost, and nothing is written of it yet.
  @inline(__always)
  private var isFirst: Bool {
    handle.isActive && handle.state.pointee.frames.last.pointee.shape == .empty
  }

  /// Writes a value: into the buffer or, if that is not possible, as a record.
  @inline(__always)
  private func write<T: Encodable>(
    _ value: T, _ text: (inout JSON.Writer) -> Void, record: (RecordSlot) throws -> Void
  ) throws {
    guard isFirst else { return try handle.encodeLate(value, record: record) }
    handle.state.pointee.frames.last.pointee.shape = .value
    text(&handle.state.pointee.writer)
  }

  @inline(__always)
  private func writeInteger<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try write(value) {
      $0.write(value)
    } record: {
      try $0.set(integer: value)
    }
  }

  func encodeNil() throws {
    try write(Bool?.none) {
      $0.writeNull()
    } record: {
      $0.setNull()
    }
  }

  func encode<T: Encodable>(_ value: T) throws {
    if isFirst { return try handle.encodeSingle(value) }
    try handle.encodeLate(value) { try $0.set(value: value) }
  }
}

extension SingleEntry {
  func encode(_ value: Bool) throws {
    try write(value) {
      $0.write(value)
    } record: {
      $0.set(value)
    }
  }
  func encode(_ value: String) throws {
    try write(value) {
      $0.write(value)
    } record: {
      $0.set(value)
    }
  }
  func encode(_ value: Int) throws { try writeInteger(value) }
  func encode(_ value: Int8) throws { try writeInteger(value) }
  func encode(_ value: Int16) throws { try writeInteger(value) }
  func encode(_ value: Int32) throws { try writeInteger(value) }
  func encode(_ value: Int64) throws { try writeInteger(value) }
  func encode(_ value: Int128) throws { try writeInteger(value) }
  func encode(_ value: UInt) throws { try writeInteger(value) }
  func encode(_ value: UInt8) throws { try writeInteger(value) }
  func encode(_ value: UInt16) throws { try writeInteger(value) }
  func encode(_ value: UInt32) throws { try writeInteger(value) }
  func encode(_ value: UInt64) throws { try writeInteger(value) }
  func encode(_ value: UInt128) throws { try writeInteger(value) }

  func encode(_ value: Double) throws {
    // What becomes of other numbers is up to the options.
    if !value.isFinite, isFirst { return try handle.encodeSingle(value) }
    try write(value) {
      $0.writeFinite(value)
    } record: {
      try $0.set(value)
    }
  }

  func encode(_ value: Float) throws {
    // What becomes of other numbers is up to the options.
    if !value.isFinite, isFirst { return try handle.encodeSingle(value) }
    try write(value) {
      $0.writeFinite(value)
    } record: {
      try $0.set(value)
    }
  }
}
