#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why an engine did not do what it was asked for, or what it has was not taken.
@nonexhaustive public enum SyncError: Error, Hashable, Sendable {
  /// It did not answer, or its answer did not arrive: whether it did what was asked is not known.
  case unreachable(String)
  /// It no longer has the commits that were asked for.
  case compacted
  /// It will not do it, as long as something is not changed: access, limits, its version.
  case rejected(String)
  /// The files of this machine could not be read or written, as where its disk is full; it is tried again.
  case storage(String)
  /// A transaction's last answer was lost: its changes may have been made.
  case uncertain(String)
}

extension SyncError {
  var isRejected: Bool { if case .rejected = self { true } else { false } }
}

extension SyncError: CustomStringConvertible, LocalizedError {
  /// What happened.
  public var description: String {
    switch self {
    case .unreachable(let text), .rejected(let text), .storage(let text), .uncertain(let text):
      text
    case .compacted: "The engine no longer has the commits that were asked for."
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}
