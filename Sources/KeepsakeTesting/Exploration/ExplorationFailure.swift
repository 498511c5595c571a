/// A disk that a check rejected.
public struct ExplorationFailure: Error, CustomStringConvertible {
  /// Where in the scenario it was found.
  public var point: String
  /// What was on the disk.
  public var found: String
  /// What the check threw.
  public var reason: any Error

  /// The reason, the place and the disk.
  public var description: String { "\(reason)\n\(point)\n\(found)" }
}
