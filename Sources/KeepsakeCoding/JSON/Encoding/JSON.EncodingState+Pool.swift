import Synchronization

extension JSON.EncodingState {
  /// The states that no encoding uses. There are never more states than there were encodings at
  /// the same time; their memory is kept, which the safety of ``JSON/EncodingState`` rests on.
  private static let idle = Mutex(IdleStates())

  /// `@unchecked`: whoever takes a state out of the pool is the only one to use it until it is
  /// given back, and the pool itself uses none.
  private struct IdleStates: @unchecked Sendable {
    var states: [UnsafeMutablePointer<JSON.EncodingState>] = []
  }

  /// Buffers up to this size are kept for the next encoding.
  private static let keptCapacity = 1 << 20

  /// A state for one encoding.
  static func take(options: JSON.EncodingOptions) -> UnsafeMutablePointer<JSON.EncodingState> {
    let state: UnsafeMutablePointer<JSON.EncodingState>
    if let idle = idle.withLock({ $0.states.popLast() }) {
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
    idle.withLock { $0.states.append(state) }
  }
}
