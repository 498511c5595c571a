extension EncodingState {
  /// The states that no encoding uses. Their memory is kept, which the safety of ``EncodingState``
  /// rests on.
  private static let idle = IdlePool()

  /// Buffers up to this size are kept for the next encoding.
  private static let keptCapacity = 1 << 20

  /// Calls a function with the handle of a new encoding.
  @inline(__always)
  static func withNew<Result: ~Copyable>(
    _ options: EncodingOptions, _ body: (EncodingHandle) throws -> Result
  ) rethrows -> Result {
    let state = acquire()
    state.pointee.begin(options)
    defer { release(state) }
    return try body(
      EncodingHandle(
        state: state,
        token: state.pointee.isRecording ? state.pointee.firstRecordToken : 0))
  }

  private static func acquire() -> UnsafeMutablePointer<EncodingState> {
    if let state = idle.acquire() { return state.assumingMemoryBound(to: EncodingState.self) }
    let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
    state.initialize(to: EncodingState())
    return state
  }

  private static func release(_ state: UnsafeMutablePointer<EncodingState>) {
    state.pointee.end()
    if state.pointee.writer.capacity > keptCapacity {
      state.pointee.writer = JSON.Writer(capacity: 4096)
    }
    idle.release(state)
  }
}
