extension PropertyList {
  /// Keeps a tape for the decoders and containers that read it.
  ///
  /// Each of them holds this object, so that one which is kept after decoding has ended can still
  /// be used: the file's bytes, which stay in place only until then, are copied for it.
  final class TapeStorage {
    let tape: UnsafeMutablePointer<Tape>
    let userInfo: [CodingUserInfoKey: any Sendable]
    private var copy: UnsafeMutablePointer<UInt8>?

    /// - Parameter tape: Is freed with the object.
    init(_ tape: consuming Tape, userInfo: [CodingUserInfoKey: any Sendable]) {
      self.tape = .allocate(capacity: 1)
      self.tape.initialize(to: tape)
      self.userInfo = userInfo
    }

    deinit {
      tape.pointee.free()
      tape.deinitialize(count: 1)
      tape.deallocate()
      copy?.deallocate()
    }

    /// Copies the file's bytes, which are about to go.
    func keepSource() {
      let count = tape.pointee.sourceCount
      guard count > 0 else { return }
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
      bytes.update(from: tape.pointee.source, count: count)
      tape.pointee.source = UnsafePointer(bytes)
      copy = bytes
    }
  }
}
