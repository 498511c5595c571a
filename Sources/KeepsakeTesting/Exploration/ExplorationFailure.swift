#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A disk that a check rejected.
public struct ExplorationFailure: LocalizedError, CustomStringConvertible {
  /// The point in the scenario.
  public var point: String
  /// A description of the disk.
  public var found: String
  /// The error that the check threw.
  public var reason: any Error

  /// The reason, the point and the disk.
  public var description: String { "\(reason)\n\(point)\n\(found)" }

  /// The description.
  public var errorDescription: String? { description }
}
