/// How much a ``CutExplorer`` tried.
public struct CutReport: Hashable, Sendable {
  /// The events of the scenario.
  public var events: Int
  /// The disks that differ in a name or a byte.
  public var states = 0
  /// The checks: one for each disk and set of marks with which it was found.
  public var visits = 0
}
