extension JSON {
  /// Writes a single value.
  struct SingleContainer: SingleValueEncodingContainer {
    let handle: JSON.EncodingHandle

    var codingPath: [any CodingKey] { handle.codingPath }

    /// Writes, by a function, a value that cannot fail.
    @inline(__always)
    private func write<T: Encodable>(_ value: T, _ body: (inout JSON.Writer) -> Void) throws {
      if handle.isActive, handle.state.pointee.frames.last.pointee.shape == .empty {
        handle.state.pointee.frames.last.pointee.shape = .value
        body(&handle.state.pointee.writer)
      } else {
        try handle.encodeLate(value)
      }
    }

    func encodeNil() throws { try write(Bool?.none) { $0.writeNull() } }

    func encode<T: Encodable>(_ value: T) throws {
      if handle.isActive, handle.state.pointee.frames.last.pointee.shape == .empty {
        try handle.encodeSingle(value)
      } else {
        try handle.encodeLate(value)
      }
    }
  }
}

extension JSON.SingleContainer {
  func encode(_ value: Bool) throws { try write(value) { $0.write(value) } }
  func encode(_ value: String) throws { try write(value) { $0.write(value) } }
  func encode(_ value: Int) throws { try write(value) { $0.write(value) } }
  func encode(_ value: Int8) throws { try write(value) { $0.write(value) } }
  func encode(_ value: Int16) throws { try write(value) { $0.write(value) } }
  func encode(_ value: Int32) throws { try write(value) { $0.write(value) } }
  func encode(_ value: Int64) throws { try write(value) { $0.write(value) } }
  func encode(_ value: Int128) throws { try write(value) { $0.write(value) } }
  func encode(_ value: UInt) throws { try write(value) { $0.write(value) } }
  func encode(_ value: UInt8) throws { try write(value) { $0.write(value) } }
  func encode(_ value: UInt16) throws { try write(value) { $0.write(value) } }
  func encode(_ value: UInt32) throws { try write(value) { $0.write(value) } }
  func encode(_ value: UInt64) throws { try write(value) { $0.write(value) } }
  func encode(_ value: UInt128) throws { try write(value) { $0.write(value) } }

  func encode(_ value: Double) throws {
    if value.isFinite {
      try write(value) { $0.writeFinite(value) }
    } else if handle.isActive, handle.state.pointee.frames.last.pointee.shape == .empty {
      try handle.encodeSingle(value)
    } else {
      try handle.encodeLate(value)
    }
  }

  func encode(_ value: Float) throws {
    if value.isFinite {
      try write(value) { $0.writeFinite(value) }
    } else if handle.isActive, handle.state.pointee.frames.last.pointee.shape == .empty {
      try handle.encodeSingle(value)
    } else {
      try handle.encodeLate(value)
    }
  }
}
