/// An array or dictionary that an encoder goes through itself: its own `encode(to:)` would make
/// a container and come back through it for every element.
protocol DirectlyEncodable: SendableMetatype {
  /// Encodes a value.
  ///
  /// - Parameter value: Points to a value of this type.
  static func encode(
    at value: UnsafeRawPointer, with handle: EncodingHandle, key: EncodingFrame.Key,
    entry: EncodingMark
  ) throws
}

extension Array: DirectlyEncodable where Element: Encodable {
  static func encode(
    at value: UnsafeRawPointer, with handle: EncodingHandle, key: EncodingFrame.Key,
    entry: EncodingMark
  ) throws {
    let elements = value.assumingMemoryBound(to: Self.self).pointee
    if elements.isEmpty { return handle.state.pointee.writer.append("[],") }
    try handle.scope(at: key, entry: entry) { handle in
      handle.state.pointee.open(.array)
      try elements.withUnsafeBufferPointer { try handle.encodeElements($0) }
    }
  }
}

extension Dictionary: DirectlyEncodable
where Key: CodingKeyRepresentable & Encodable, Value: Encodable {
  static func encode(
    at value: UnsafeRawPointer, with handle: EncodingHandle, key: EncodingFrame.Key,
    entry: EncodingMark
  ) throws {
    let entries = value.assumingMemoryBound(to: Self.self).pointee
    try handle.scope(at: key, entry: entry) { handle in
      if Key.self == String.self {
        // `Key` is `String`, so this is the same type.
        let entries = unsafeBitCast(entries, to: [String: Value].self)
        handle.state.pointee.open(.object)
        try handle.encodeEntries(entries)
      } else if case .useDefaultKeys = handle.state.pointee.options.keys {
        try entries.encode(to: EncodingScope(handle: handle))
      } else {
        // Foundation leaves the keys of such dictionaries as they are.
        handle.state.pointee.open(.object)
        for (key, value) in entries {
          try handle.encodeEntry(key.codingKey.stringValue, value)
        }
      }
    }
  }
}

extension EncodingHandle {
  /// Writes the elements of the array that is open.
  func encodeElements<Element: Encodable>(_ elements: UnsafeBufferPointer<Element>) throws {
    guard let base = elements.baseAddress else { return }
    let values = UnsafeRawPointer(base)
    let count = elements.count
    /// The elements as those of the type that `Element` was found to be.
    func all<T>(_ type: T.Type) -> UnsafeBufferPointer<T> {
      UnsafeBufferPointer(start: values.assumingMemoryBound(to: type), count: count)
    }
    switch state.pointee.types.kind(of: Element.self) {
    case .bool: for value in all(Bool.self) { state.pointee.writer.write(value) }
    case .int: for value in all(Int.self) { state.pointee.writer.write(value) }
    case .uint8: for value in all(UInt8.self) { state.pointee.writer.write(value) }
    case .string: for value in all(String.self) { state.pointee.writer.write(value) }
    case .double:
      let values = all(Double.self)
      for index in 0..<count { try write(values[index], at: .index(index)) }
    case .float:
      let values = all(Float.self)
      for index in 0..<count { try write(values[index], at: .index(index)) }
    default:
      for index in 0..<count {
        let level = state.pointee.frames.count - 1
        try encode(base[index], at: .index(index), entry: mark)
        state.pointee.frames[level].count = index + 1
      }
    }
  }

  /// Writes the entries of the object that is open; no key is there twice.
  func encodeEntries<Value: Encodable>(_ entries: [String: Value]) throws {
    if state.pointee.sortsKeys {
      for (key, value) in entries { try encodeEntry(key, value) }
      return
    }
    switch state.pointee.types.kind(of: Value.self) {
    case .string:
      // `Value` is `String`, so this is the same type; likewise below.
      for (key, value) in unsafeBitCast(entries, to: [String: String].self) {
        state.pointee.writer.key(key)
        state.pointee.writer.write(value)
      }
    case .int:
      for (key, value) in unsafeBitCast(entries, to: [String: Int].self) {
        state.pointee.writer.key(key)
        state.pointee.writer.write(value)
      }
    default:
      for (key, value) in entries {
        let entry = mark
        state.pointee.writer.key(key)
        try encode(value, under: key, entry: entry)
      }
    }
  }

  /// Writes an entry of the object that is open.
  fileprivate func encodeEntry<Value: Encodable>(_ key: String, _ value: Value) throws {
    let entry = mark
    state.pointee.writeKey(key, isConverted: true, isNested: false)
    try encode(value, under: key, entry: entry)
  }

  private func encode<Value: Encodable>(
    _ value: Value, under key: String, entry: EncodingMark
  ) throws {
    let key = EncodingPathKey(stringValue: key)
    try withUnsafePointer(to: key) {
      try encode(
        value, at: .inMemory(UnsafeRawPointer($0), EncodingPathKey.self), entry: entry)
    }
  }
}
