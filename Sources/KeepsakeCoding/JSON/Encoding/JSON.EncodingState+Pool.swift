extension JSON.EncodingState {
  /// The states that no encoding uses. Their memory is kept, which the safety of
  /// ``JSON/EncodingState`` rests on.
  private static let idle = IdlePool<UnsafeMutablePointer<JSON.EncodingState>>()

  /// Buffers up to this size are kept for the next encoding.
  private static let keptCapacity = 1 << 20

  /// A state for one encoding.
  static func take(options: JSON.EncodingOptions) -> UnsafeMutablePointer<JSON.EncodingState> {
    let state: UnsafeMutablePointer<JSON.EncodingState>
    if let idle = idle.take() {
      state = idle
    } else {
      state = .allocate(capacity: 1)
      state.initialize(to: JSON.EncodingState())
    }
    state.pointee.begin(options: options)
    return state
  }

  /// Ends the use of a state.
  static func giveBack(_ state: UnsafeMutablePointer<JSON.EncodingState>) {
    state.pointee.end()
    if state.pointee.writer.capacity > keptCapacity {
      state.pointee.writer = JSON.Writer(capacity: 4096)
    }
    idle.giveBack(state)
  }
}
