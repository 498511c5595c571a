extension CutExplorer {
  /// The extent of an exploration by a ``CutExplorer``.
  public struct Report: Hashable, Sendable {
    /// The number of events in the scenario.
    public var events: Int
    /// The number of disks that differ in a name or a byte.
    public var states = 0
    /// The number of checks: one for each disk and set of marks that it occurred with.
    public var visits = 0
  }
}
