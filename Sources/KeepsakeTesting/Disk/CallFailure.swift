public import SystemPackage

/// How a call to a ``SimulatedDisk`` goes wrong.
public enum CallFailure: Hashable, Sendable, CaseIterable {
  /// The disk does not do it (`EIO`); of a flush, nothing it was to make durable will ever be.
  case ioError
  /// The disk is full (`ENOSPC`); half of the bytes of a write are there. A flush as above.
  case noSpace
  /// The disk has no such call (`EOPNOTSUPP`). A flush as above.
  case unsupported
  /// A signal came before anything was done (`EINTR`).
  case interrupted
  /// Half of the bytes are read or written, which is no error; other calls do all they are to do.
  case partial

  /// The error that the call throws, if it does.
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
