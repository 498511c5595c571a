#if Console
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Loopback {
  /// The reason that a server cannot start.
  @nonexhaustive public enum ServerError: LocalizedError, Equatable {
    /// Other programs use each of the ports; the last one that was tried.
    case portInUse(UInt16)

    /// What happened.
    public var errorDescription: String? {
      switch self {
      case .portInUse(let port): "Another program uses port \(port)."
      }
    }
  }
}
#endif
