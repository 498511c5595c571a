/// An array or dictionary that an encoder goes through itself: its own `encode(to:)` would make
/// a container and come back through it for every element.
protocol DirectlyEncodable: SendableMetatype {
  /// Encodes a value: into the buffer or, if the encoding is recorded, into the handle's record.
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
    let level = handle.state.pointee.frames.count
    let handle = try handle.beginScope(at: key, entry: entry)
    do {
      try handle.open(.array)
      let kind = handle.state.pointee.types.kind(of: Element.self)
      if try !handle.encodeElements(kind, ofArrayAt: value) {
        try value.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer {
          try handle.encodeElements(kind, $0)
        }
      }
    } catch {
      handle.abandonScope(at: level)
      throw error
    }
    handle.endScope(at: level)
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
        try handle.open(.object)
        try handle.encodeEntries(entries)
      } else {
        try entries.encode(to: ValueEncoder(handle: handle))
      }
    }
  }
}

extension EncodingHandle {
  /// Opens the object or array that the value is.
  func open(_ shape: EncodingFrame.Shape) throws {
    if let record = state.pointee.record(of: token) {
      guard state.pointee.canOpen(record) else { throw EncodingError.tooDeep(at: codingPath) }
      state.pointee.records.set(record, shape == .object ? .dictionary : .array)
    } else {
      guard state.pointee.canOpen() else { throw EncodingError.tooDeep(at: codingPath) }
      state.pointee.open(shape)
    }
  }

  /// Writes the elements of the array that is open if they are plain, or returns `false`.
  ///
  /// - Parameter array: Points to an array whose elements are of the type that `kind` stands for.
  func encodeElements(_ kind: EncodingKind, ofArrayAt array: UnsafeRawPointer) throws -> Bool {
    @inline(__always)
    func load<T>(_ type: T.Type) -> [T] { array.assumingMemoryBound(to: [T].self).pointee }
    if state.pointee.isRecording {
      switch kind {
      case .int: for value in load(Int.self) { try add { try $0.set(integer: value) } }
      case .string: for value in load(String.self) { try add { $0.set(value) } }
      case .double: for value in load(Double.self) { try add { try $0.set(value) } }
      default: return false
      }
      return true
    }
    switch kind {
    case .bool: for value in load(Bool.self) { state.pointee.writer.write(value) }
    case .int: for value in load(Int.self) { state.pointee.writer.write(value) }
    case .int64: for value in load(Int64.self) { state.pointee.writer.write(value) }
    case .int32: for value in load(Int32.self) { state.pointee.writer.write(value) }
    case .uint: for value in load(UInt.self) { state.pointee.writer.write(value) }
    case .uint8: for value in load(UInt8.self) { state.pointee.writer.write(value) }
    case .string: for value in load(String.self) { state.pointee.writer.write(value) }
    case .double:
      let values = load(Double.self)
      for index in values.indices { try write(values[index], at: .index(index)) }
    case .float:
      let values = load(Float.self)
      for index in values.indices { try write(values[index], at: .index(index)) }
    default: return false
    }
    return true
  }

  /// Writes the elements of the array that is open.
  func encodeElements<Element: Encodable>(
    _ kind: EncodingKind, _ elements: UnsafeBufferPointer<Element>
  ) throws {
    guard let base = elements.baseAddress else { return }
    switch kind {
    case .own:
      for index in 0..<elements.count {
        if state.pointee.isRecording { return try record(elements, from: index) }
        let level = state.pointee.frames.count
        let handle = try beginScope(at: .index(index), entry: mark)
        do {
          try borrow(index, of: base) { try $0.encode(to: ValueEncoder(handle: handle)) }
        } catch {
          abandonScope(at: level)
          throw error
        }
        endScope(at: level)
      }
    case .direct(let type):
      for index in 0..<elements.count {
        if state.pointee.isRecording { return try record(elements, from: index) }
        // The elements' type is the one that `type` stands for.
        try type.encode(
          at: UnsafeRawPointer(base + index), with: self, key: .index(index), entry: mark)
      }
    default:
      for index in 0..<elements.count {
        if state.pointee.isRecording { return try record(elements, from: index) }
        try borrow(index, of: base) { try encode($0, at: .index(index), entry: mark) }
      }
    }
  }

  /// Adds elements to the array that this handle's record is.
  private func record<Element: Encodable>(
    _ elements: UnsafeBufferPointer<Element>, from start: Int
  ) throws {
    guard let base = elements.baseAddress else { return }
    for index in start..<elements.count {
      try borrow(index, of: base) { try add(value: $0) }
    }
  }

  /// Writes the entries of the object that is open; no key is there twice.
  func encodeEntries<Value: Encodable>(_ entries: [String: Value]) throws {
    if state.pointee.isRecording { return try record(entries) }
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
        if state.pointee.isRecording {
          try add(text: key) { try $0.set(value: value) }
          continue
        }
        let entry = mark
        state.pointee.writer.key(key)
        try encode(value, under: key, entry: entry)
      }
    }
  }

  private func record<Value: Encodable>(_ entries: [String: Value]) throws {
    switch state.pointee.types.kind(of: Value.self) {
    case .string:
      // `Value` is `String`, so this is the same type; likewise below.
      for (key, value) in unsafeBitCast(entries, to: [String: String].self) {
        try add(text: key) { $0.set(value) }
      }
    case .int:
      for (key, value) in unsafeBitCast(entries, to: [String: Int].self) {
        try add(text: key) { try $0.set(integer: value) }
      }
    case .double:
      for (key, value) in unsafeBitCast(entries, to: [String: Double].self) {
        try add(text: key) { try $0.set(value) }
      }
    default:
      for (key, value) in entries { try add(text: key) { try $0.set(value: value) } }
    }
  }

  /// Writes an entry of the object that is open.
  func encodeEntry<Value: Encodable>(_ key: String, _ value: Value) throws {
    if state.pointee.isRecording { return try add(text: key) { try $0.set(value: value) } }
    let entry = mark
    state.pointee.writeKey(key, isConverted: true)
    try encode(value, under: key, entry: entry)
  }

  private func encode<Value: Encodable>(
    _ value: Value, under key: String, entry: EncodingMark
  ) throws {
    let key = AnyCodingKey(stringValue: key)
    try withUnsafePointer(to: key) {
      try encode(
        value, at: .inMemory(UnsafeRawPointer($0), AnyCodingKey.self), entry: entry)
    }
  }
}
