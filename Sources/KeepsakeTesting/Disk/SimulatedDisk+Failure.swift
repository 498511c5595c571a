public import SystemPackage

extension SimulatedDisk {
  /// A way in which a call to a ``SimulatedDisk`` fails.
  public enum Failure: Hashable, Sendable, CaseIterable {
    /// An I/O error (`EIO`). After a failed flush, the unflushed changes are never written.
    case ioError
    /// The disk is full (`ENOSPC`): half of a write's bytes are written. A flush fails as above.
    case noSpace
    /// The disk does not support the call (`EOPNOTSUPP`). A flush fails as above.
    case unsupported
    /// A signal interrupted the call before it had any effect (`EINTR`).
    case interrupted
    /// Half of the bytes are read or written, without an error; other calls succeed completely.
    case partial

    /// The error that the call throws, if any.
    public var code: Errno? {
      switch self {
      case .ioError: .ioError
      case .noSpace: .noSpace
      case .unsupported: .notSupported
      case .interrupted: .interrupted
      case .partial: nil
      }
    }
  }
}
