extension JSON.EncodingHandle {
  // MARK: Nested containers

  /// Opens a container for a key.
  ///
  /// - Parameter shape: `empty` for an encoder, which may become anything.
  func nested<Key: CodingKey>(_ shape: JSON.EncodingFrame.Shape, _ key: Key) -> JSON.EncodingHandle
  {
    if activate() {
      let mark = mark
      writeKey(key)
      state.pointee.keptKeys.append(key)
      return push(shape, at: .kept(state.pointee.keptKeys.count - 1), mark: mark)
    }
    guard let node = state.pointee.node(ticket), node.shape == .object else { return void }
    let child = node.child(shape, forKey: keyBytes(key), path: node.path + [key])
    return handle(of: child, shape)
  }

  /// Opens a container as the next element.
  func nestedElement(_ shape: JSON.EncodingFrame.Shape) -> JSON.EncodingHandle {
    if activate() {
      let index = state.pointee.frames.last.pointee.count
      state.pointee.frames.last.pointee.count = index + 1
      return push(shape, at: .index(index), mark: mark)
    }
    guard let node = state.pointee.node(ticket), node.shape == .array else { return void }
    let key = AnyCodingKey(index: node.values.count)
    let child = JSON.EncodingNode(path: node.path + [key])
    node.values.append(.node(child))
    return handle(of: child, shape)
  }

  private func push(
    _ shape: JSON.EncodingFrame.Shape, at key: JSON.EncodingFrame.Key, mark: JSON.EncodingMark
  ) -> JSON.EncodingHandle {
    guard state.pointee.canOpen(inside: true),
      let ticket = state.pointee.push(
        key: key, mark: mark, shape: .empty, isScope: false, isNested: shape != .empty)
    else {
      failTooDeep()
      state.pointee.writer.truncate(to: mark.start)
      state.pointee.records.truncate(to: mark.records)
      return void
    }
    state.pointee.hasNested = true
    if shape != .empty { state.pointee.open(shape) }
    return with(ticket: ticket)
  }

  private func handle(of node: JSON.EncodingNode, _ shape: JSON.EncodingFrame.Shape)
    -> JSON.EncodingHandle
  {
    guard node.path.count <= JSON.Writer.maximumDepth else {
      failTooDeep()
      return void
    }
    guard shape == .empty || node.take(shape) else {
      fail("A value or another kind of container was already encoded for this key.")
      return void
    }
    return with(ticket: state.pointee.addNode(node, besides: ticket))
  }

  func failTooDeep() {
    if state.pointee.failure == nil {
      state.pointee.failure = EncodingError.tooDeep(at: codingPath)
    }
  }

  // MARK: Elements

  /// The number of elements of this array.
  var elementCount: Int {
    if let node = state.pointee.existingNode(ticket) { return node.values.count }
    if let level = state.pointee.level(of: ticket) { return state.pointee.frames[level].count }
    return state.pointee.node(ticket)?.values.count ?? 0
  }

  /// Counts an element that was encoded by functions of the user's.
  @inline(__always)
  func countElement() {
    // If it was written to out of order meanwhile, its tree has counted.
    if isActive { state.pointee.frames.last.pointee.count &+= 1 }
  }

  // MARK: Out of order

  /// Encodes an entry of an object that is kept in a tree.
  @inline(never)
  func adopt<Key: CodingKey>(_ key: Key, _ encode: (JSON.EncodingMark) throws -> Void) throws {
    guard let node = state.pointee.node(ticket), node.shape == .object else { throw ended }
    let bytes = keyBytes(key)
    node.set(.bytes(try valueBytes(encode)), forKey: bytes)
  }

  /// Encodes an element of an array that is kept in a tree.
  @inline(never)
  func adopt(_ encode: (JSON.EncodingFrame.Key, JSON.EncodingMark) throws -> Void) throws {
    guard let node = state.pointee.node(ticket), node.shape == .array else { throw ended }
    let index = node.values.count
    node.values.append(.bytes(try valueBytes { try encode(.index(index), $0) }))
  }

  /// Encodes a value at the end of the buffer and takes it from there.
  private func valueBytes(_ encode: (JSON.EncodingMark) throws -> Void) throws -> [UInt8] {
    let mark = mark
    state.pointee.parentOfNext = ticket
    defer {
      state.pointee.parentOfNext = 0
      state.pointee.writer.truncate(to: mark.start)
      state.pointee.records.truncate(to: mark.records)
    }
    try encode(mark)
    return state.pointee.writer.bytes(from: mark.start, to: state.pointee.writer.count - 1)
  }

  /// A key as it is written: `"key":`.
  private func keyBytes<Key: CodingKey>(_ key: Key) -> [UInt8] {
    let mark = mark
    writeKey(key)
    let bytes = state.pointee.writer.bytes(from: mark.start, to: state.pointee.writer.count)
    state.pointee.writer.truncate(to: mark.start)
    state.pointee.records.truncate(to: mark.records)
    return bytes
  }

  private var ended: EncodingError {
    .misused(at: codingPath, "The container was used after its value was encoded.")
  }

  // MARK: Single values

  /// Encodes the only value of the innermost frame, of which nothing is written yet.
  func encodeSingle<T: Encodable>(_ value: T) throws {
    let level = state.pointee.frames.count - 1
    let kind = state.pointee.types.kind(of: T.self)
    if case .own = kind {
      // With the same encoder: the value may go on with what this one begins.
      guard enterRecursion() else {
        state.pointee.recursion -= 1
        throw EncodingError.tooDeep(at: codingPath)
      }
      defer { state.pointee.recursion &-= 1 }
      try value.encode(to: JSON.EncodingScope(handle: self))
      if state.pointee.frames[level].shape == .empty {
        _ = opened(.object)
      }
      return
    }
    try encode(value, at: .none, entry: mark)
    if state.pointee.frames[level].shape == .empty {
      state.pointee.frames[level].shape = .value
    }
  }

  /// Encodes the only value of a frame that is not the innermost, or has one already.
  @inline(never)
  func encodeLate<T: Encodable>(_ value: T) throws {
    if activate(), state.pointee.frames.last.pointee.shape == .empty {
      return try encodeSingle(value)
    }
    guard let node = state.pointee.node(ticket), node.shape == .empty else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription:
            "A value was already encoded through this container, or its encoding has ended."))
    }
    node.bytes = try valueBytes { try encode(value, at: .none, entry: $0) }
    node.shape = .value
  }
}
