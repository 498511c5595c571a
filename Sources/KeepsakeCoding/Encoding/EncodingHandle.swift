/// What encoders and containers are made of: a state, and the token that lets them write to it.
///
/// The functions here may call what users wrote; they never do so while the state is accessed.
struct EncodingHandle {
  let state: UnsafeMutablePointer<EncodingState>
  let token: UInt64

  /// Whether this is the innermost container, which writes straight into the buffer.
  @inline(__always)
  var isActive: Bool { state.pointee.active == token }

  /// Whether this container can write into the buffer, once those within it are closed. If it
  /// cannot, it has a record, unless its value has ended.
  @inline(__always)
  func activate() -> Bool {
    isActive
      || state.pointee.isCurrent(token) && !state.pointee.isRecording
        && state.pointee.activate(token)
  }

  /// The same encoding with another token.
  @inline(__always)
  func with(token: UInt64) -> EncodingHandle {
    EncodingHandle(state: state, token: token)
  }

  /// A container that writes through this handle.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard state.pointee.isCurrent(token) else { return endedContainer(keyedBy: type) }
    guard let entry = state.pointee.containers.idleEntry(for: type),
      let cell = entry.pointee.cell
    else { return newContainer(keyedBy: type) }
    cell.pointee.handle = self
    return entry.pointee.container(KeyedEncodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    let cell = CellReference(
      EncodingCell(handle: self, texts: KeyTexts(of: type, number: state.pointee.newToken())))
    let container = KeyedEncodingContainer(KeyedEntries<Key>(reference: cell))
    state.pointee.containers.insert(container, for: type, cell: cell.pointer)
    return container
  }

  /// Containers that write nothing share one cell. It is safe to share: it is not written to, and its
  /// handle's state is in no encoding.
  private nonisolated(unsafe) static let endedCell: CellReference<EncodingCell> = {
    let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
    state.initialize(to: EncodingState())
    return CellReference(EncodingCell(handle: EncodingHandle(state: state, token: 0)))
  }()

  /// A container that writes nothing.
  @inline(never)
  private func endedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedEntries<Key>(reference: Self.endedCell))
  }

  /// A handle that writes nothing.
  var void: EncodingHandle { with(token: 0) }
}

extension EncodingHandle {
  // MARK: Scopes

  /// Calls a function that encodes a value with a handle for it.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - entry: Where its entry begins, to which an error goes back.
  @inline(__always)
  func scope(
    at key: EncodingFrame.Key, entry: EncodingMark,
    _ body: (EncodingHandle) throws -> Void
  ) throws {
    let level = state.pointee.frames.count
    let handle = try beginScope(at: key, entry: entry)
    do {
      try body(handle)
    } catch {
      abandonScope(at: level)
      throw error
    }
    endScope(at: level)
  }

  /// Begins a value of an encoder's, which ends with ``endScope(at:)`` or ``abandonScope(at:)``.
  @inline(__always)
  func beginScope(at key: EncodingFrame.Key, entry: EncodingMark) throws
    -> EncodingHandle
  {
    let level = state.pointee.frames.count
    if state.pointee.isRecording {
      // The value is the record's.
      guard enterRecursion() else { throw tooDeep(at: key, entry: entry, level: level + 1) }
      return self
    }
    guard let token = state.pointee.push(key: key, mark: entry, isScope: true), enterRecursion()
    else { throw tooDeep(at: key, entry: entry, level: level) }
    return with(token: token)
  }

  @inline(never)
  func abandonScope(at level: Int) {
    state.pointee.recursion &-= 1
    state.pointee.discardScope(at: level)
  }

  @inline(__always)
  func endScope(at level: Int) {
    state.pointee.recursion &-= 1
    if level == 0, !state.pointee.isRecording, state.pointee.frames[0].shape == .empty {
      // A value that encodes nothing is an empty object, but not at the top.
      return state.pointee.discardScope(at: level)
    }
    state.pointee.endScope(at: level)
  }

  @inline(__always)
  func enterRecursion() -> Bool {
    state.pointee.recursion &+= 1
    return state.pointee.recursion <= EncodingState.maximumRecursion
  }

  @inline(never)
  private func tooDeep(
    at key: EncodingFrame.Key, entry: EncodingMark, level: Int
  ) -> EncodingError {
    var path = codingPath
    if let key = state.pointee.key(key) { path.append(key) }
    if state.pointee.isRecording || state.pointee.frames.count > level {
      state.pointee.recursion -= 1
    }
    state.pointee.discardScope(at: level)
    state.pointee.goBack(to: entry)
    return .tooDeep(at: path)
  }

  /// Where the output is before an entry.
  @inline(__always)
  var mark: EncodingMark {
    EncodingMark(start: state.pointee.writer.count, entries: state.pointee.entries.count)
  }

  // MARK: Paths

  /// The keys that lead to the value that is encoded through this handle.
  var codingPath: [any CodingKey] { state.pointee.codingPath(of: token) }

  var userInfo: [CodingUserInfoKey: Any] {
    guard state.pointee.isCurrent(token) else { return [:] }
    return state.pointee.options.userInfo
  }
}

extension EncodingError {
  static func tooDeep(at path: [any CodingKey]) -> EncodingError {
    .invalidValue(
      Any?.none as Any,
      Context(
        codingPath: path,
        debugDescription: """
          Unable to encode the value: it lies more than \(JSON.Writer.maximumDepth) objects, arrays \
          and values deep.
          """))
  }

  static func misused(at path: [any CodingKey], _ description: String) -> EncodingError {
    .invalidValue(
      Any?.none as Any, Context(codingPath: path, debugDescription: description))
  }
}
