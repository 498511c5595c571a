/// Writing into the buffer: JSON in the order of the text.
extension EncodingState {
  /// Opens a frame, or returns `nil` if there are too many.
  @inline(__always)
  mutating func push(
    key: EncodingFrame.Key, mark: EncodingMark, isScope: Bool, isNested: Bool = false
  ) -> UInt64? {
    guard frames.count <= JSON.Writer.maximumDepth else { return nil }
    let token = newToken()
    frames.append(
      EncodingFrame(
        token: token, key: key, mark: mark, start: writer.count, entryBase: entries.count,
        closedBase: closed.count, keyBase: keptKeys.count, isScope: isScope, isNested: isNested))
    active = token
    return token
  }

  /// Whether the value of the innermost frame, or one inside, may be an object or array.
  @inline(__always)
  func canOpen(inside: Bool = false) -> Bool {
    inside
      ? frames.count < JSON.Writer.maximumDepth : frames.count <= JSON.Writer.maximumDepth
  }

  /// Opens the object or array of the innermost frame.
  @inline(__always)
  mutating func open(_ shape: EncodingFrame.Shape) {
    frames.last.pointee.shape = shape
    writer.append(shape == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Writes the end of the innermost frame's value, and leaves the frame.
  @inline(__always)
  private mutating func closeLast() {
    let frame = frames.last
    switch frame.pointee.shape {
    case .empty: writer.append("{},")
    case .object:
      arrangeEntries(from: frame.pointee.entryBase)
      entries.truncate(to: frame.pointee.entryBase)
      writer.close(with: UInt8(ascii: "}"))
    case .array: writer.close(with: UInt8(ascii: "]"))
    case .value: break
    }
    frames.removeLast()
  }

  /// Ends a scope, with all that was opened within.
  @inline(__always)
  mutating func endScope(at level: Int) {
    if isRecording || hasNested && mustMerge(level) { return endRecordedScope(at: level) }
    while frames.count > level + 1 { closeLast() }
    let frame = frames[level]
    closeLast()
    leave(frame)
  }

  /// Ends a scope that failed, and removes its entry.
  mutating func discardScope(at level: Int) {
    guard frames.count > level else { return }
    let frame = frames[level]
    frames.truncate(to: level)
    if isRecording { return }
    goBack(to: frame.mark)
    leave(frame)
  }

  @inline(__always)
  private mutating func leave(_ frame: EncodingFrame) {
    if closed.count > frame.closedBase { closed.removeSubrange(frame.closedBase...) }
    if keptKeys.count > frame.keyBase { keptKeys.removeSubrange(frame.keyBase...) }
    activateLast()
  }

  /// Removes an entry that failed; a record that failed is never an element.
  mutating func goBack(to mark: EncodingMark) {
    if isRecording { return }
    writer.truncate(to: mark.start)
    entries.truncate(to: mark.entries)
  }

  /// Lets the innermost container write.
  @inline(__always)
  private mutating func activateLast() {
    active = frames.count > 0 ? frames.last.pointee.token : Self.noToken
  }

  // MARK: Any order

  /// The frame with a token.
  func level(of token: UInt64) -> Int? {
    guard isCurrent(token), !isRecording else { return nil }
    return (0..<frames.count).last { frames[$0].token == token }
  }

  /// Makes a container the innermost by closing those within it; if that is not possible, starts to
  /// record.
  ///
  /// - Returns: Whether the container can write into the buffer. It has a record if it cannot, unless
  ///   its value has ended.
  @inline(never)
  mutating func activate(_ token: UInt64) -> Bool {
    guard let level = level(of: token) else {
      if closed.contains(where: { $0.token == token }) { startRecording() }
      return false
    }
    while frames.count - 1 > level {
      if frames.last.pointee.isScope || !closeNested() {
        startRecording()
        return false
      }
    }
    activateLast()
    return true
  }

  /// Closes the innermost container, which may be written to again, or returns `false` if that
  /// would move others of that kind.
  private mutating func closeNested() -> Bool {
    let frame = frames.last.pointee
    if frame.shape == .object, closed.count > frame.closedBase,
      needsArrangement(from: frame.entryBase)
    {
      return false
    }
    closed.append(
      ClosedContainer(
        token: frame.token, parent: frames[frames.count - 2].token,
        key: key(frame.key) ?? AnyCodingKey.superKey, start: frame.start,
        isEmpty: frame.shape == .empty, isNested: frame.isNested))
    closeLast()
    return true
  }

  /// Whether a nested container was opened twice for a key, so that both must become one: then the
  /// encoding is recorded from now on.
  @inline(never)
  private mutating func mustMerge(_ level: Int) -> Bool {
    guard frames.count > level + 1 || closed.count > frames[level].closedBase else { return false }
    for inner in level..<frames.count
    where frames[inner].shape == .object && hasDuplicates(inner) {
      startRecording()
      return true
    }
    return false
  }
}
