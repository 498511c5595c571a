extension EncodingHandle {
  // MARK: Containers

  /// A handle for the object or array that this handle's value is.
  @inline(__always)
  func opened(_ shape: EncodingFrame.Shape) -> EncodingHandle {
    if isActive, state.pointee.frames.last.pointee.shape == .empty, state.pointee.canOpen() {
      state.pointee.open(shape)
      return self
    }
    if let record = state.pointee.record(of: token),
      state.pointee.records.records[record].kind == .none, state.pointee.canOpen(record)
    {
      state.pointee.records.set(record, shape == .object ? .dictionary : .array)
      return self
    }
    return reopened(shape)
  }

  @inline(never)
  private func reopened(_ shape: EncodingFrame.Shape) -> EncodingHandle {
    if activate() {
      switch state.pointee.frames.last.pointee.shape {
      case .empty:
        guard state.pointee.canOpen() else { return failed(.tooDeep(at: codingPath)) }
        state.pointee.open(shape)
        return self
      case shape: return self
      default: state.pointee.startRecording()
      }
    }
    guard let record = state.pointee.record(of: token) else { return void }
    return opened(record, shape)
  }

  private func opened(_ record: Int, _ shape: EncodingFrame.Shape) -> EncodingHandle {
    guard state.pointee.canOpen(record) else {
      return failed(.tooDeep(at: state.pointee.path(to: record)))
    }
    guard state.pointee.open(record, shape == .object ? .dictionary : .array) else {
      return failed(
        .misused(
          at: state.pointee.path(to: record),
          "Another kind of container or a value was already encoded here."))
    }
    return RecordSlot(state: state, record: record).handle
  }

  /// Notes an error that the encoding will end with.
  ///
  /// - Returns: A handle that writes nothing.
  func failed(_ error: EncodingError) -> EncodingHandle {
    if state.pointee.failure == nil { state.pointee.failure = error }
    return void
  }

  /// Opens a container for a key.
  ///
  /// - Parameter shape: `empty` for an encoder, which may become anything.
  func nested<Key: CodingKey>(_ shape: EncodingFrame.Shape, _ key: Key) -> EncodingHandle {
    if activate() {
      let mark = mark
      writeKey(key)
      state.pointee.keptKeys.append(key)
      return push(shape, at: .kept(state.pointee.keptKeys.count - 1), mark: mark)
    }
    guard let record = state.pointee.record(of: token) else { return void }
    let text = text(of: key, in: record)
    if shape != .empty,
      let element = state.pointee.keyIndex.element(
        of: record, key: text, in: state.pointee.records)
    {
      return opened(element, shape)
    }
    return linked(addRecord(text, key, to: record), shape)
  }

  /// Opens a container as the next element.
  func nestedElement(_ shape: EncodingFrame.Shape) -> EncodingHandle {
    if activate() {
      let index = state.pointee.frames.last.pointee.count
      state.pointee.frames.last.pointee.count = index + 1
      return push(shape, at: .index(index), mark: mark)
    }
    guard let record = state.pointee.record(of: token) else { return void }
    return linked(state.pointee.records.addElement(to: record), shape)
  }

  private func linked(_ record: Int, _ shape: EncodingFrame.Shape) -> EncodingHandle {
    state.pointee.records.link(record)
    return shape == .empty
      ? RecordSlot(state: state, record: record).handle : opened(record, shape)
  }

  private func push(
    _ shape: EncodingFrame.Shape, at key: EncodingFrame.Key, mark: EncodingMark
  ) -> EncodingHandle {
    guard state.pointee.canOpen(inside: true),
      let token = state.pointee.push(
        key: key, mark: mark, isScope: false, isNested: shape != .empty)
    else {
      state.pointee.goBack(to: mark)
      return failed(.tooDeep(at: codingPath))
    }
    state.pointee.hasNested = true
    if shape != .empty { state.pointee.open(shape) }
    return with(token: token)
  }

  // MARK: Elements

  /// The number of elements of this array.
  var elementCount: Int {
    if let record = state.pointee.record(of: token) {
      return Int(state.pointee.records.records[record].count)
    }
    if let level = state.pointee.level(of: token) { return state.pointee.frames[level].count }
    // Closed: its elements are counted once they are records.
    guard !activate(), let record = state.pointee.record(of: token) else { return 0 }
    return Int(state.pointee.records.records[record].count)
  }

  /// Counts an element that was encoded by functions of the user's.
  @inline(__always)
  func countElement() {
    // If the encoding began to be recorded meanwhile, the element was counted.
    if isActive { state.pointee.frames.last.pointee.count &+= 1 }
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
      try value.encode(to: ValueEncoder(handle: self))
    } else {
      try encode(value, at: .none, entry: mark)
    }
    guard !state.pointee.isRecording, state.pointee.frames[level].shape == .empty else { return }
    if case .own = kind { _ = opened(.object) } else { state.pointee.frames[level].shape = .value }
  }

  /// Encodes the only value of a frame that is not the innermost, or has one already.
  func encodeLate<T: Encodable>(_ value: T, record set: (RecordSlot) throws -> Void) throws {
    if activate() {
      if state.pointee.frames.last.pointee.shape == .empty { return try encodeSingle(value) }
    } else if let record = state.pointee.record(of: token),
      state.pointee.records.records[record].kind == .none
    {
      do {
        return try set(RecordSlot(state: state, record: record))
      } catch {
        state.pointee.records.removeValue(of: record)
        throw error
      }
    }
    throw EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath,
        debugDescription:
          "A value was already encoded through this container, or its encoding has ended."))
  }
}
