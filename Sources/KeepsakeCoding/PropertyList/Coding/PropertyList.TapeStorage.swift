extension PropertyList {
  /// Keeps a tape for the decoders and containers that read it.
  ///
  /// Each of them holds this object, so that one which is kept after decoding has ended can still
  /// be used: the file's bytes, which stay in place only until then, are copied for it. But they
  /// reach the tape through ``TapeValues``, a plain pointer, which costs no retain on the way.
  final class TapeStorage {
    let values: TapeValues
    private var copy: UnsafeMutablePointer<UInt8>?

    /// Keyed containers for decodings to come.
    static let containers = KeyedContainerPool<TapeCell>()

    /// - Parameter tape: Is freed with the object.
    init(_ tape: consuming Tape, userInfo: [CodingUserInfoKey: any Sendable]) {
      let state = UnsafeMutablePointer<TapeValues.State>.allocate(capacity: 1)
      state.initialize(to: TapeValues.State(tape: tape, userInfo: userInfo))
      values = TapeValues(state: state)
      state.pointee.storage = Unmanaged.passUnretained(self)
    }

    deinit {
      values.state.pointee.tape.free()
      values.state.deinitialize(count: 1)
      values.state.deallocate()
      copy?.deallocate()
    }

    /// Calls a function that decodes, for which containers are at hand.
    func decode<T>(_ body: (TapeValues) throws -> T) rethrows -> T {
      let containers = Self.containers.take()
      values.state.pointee.containers = containers
      defer {
        // The containers hold the storage.
        values.state.pointee.containers = nil
        Self.containers.giveBack(containers) { $0.storage = nil }
      }
      return try body(values)
    }

    /// Copies the file's bytes, which are about to go.
    func keepSource() {
      let state = values.state
      let count = state.pointee.tape.sourceCount
      guard count > 0 else { return }
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
      bytes.update(from: state.pointee.tape.source, count: count)
      state.pointee.tape.source = UnsafePointer(bytes)
      copy = bytes
    }
  }
}
