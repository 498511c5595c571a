/// Writes that an engine makes all at once, or none of them.
public struct SyncCommit: Hashable, Sendable {
  /// The revision that each of these keys must have; zero for one that must not exist.
  public var conditions: [SyncKey: UInt64]
  /// The new values; nil for keys to remove.
  public var writes: [SyncKey: [UInt8]?]

  /// Creates a commit.
  public init(conditions: [SyncKey: UInt64], writes: [SyncKey: [UInt8]?]) {
    self.conditions = conditions
    self.writes = writes
  }

  /// What came of a commit that the engine has answered.
  public enum Result: Hashable, Sendable {
    /// It is durable, at a revision.
    case committed(revision: UInt64)
    /// A condition was not met: what the keys of all conditions have instead.
    case refused(current: [SyncKey: SyncItem])
  }
}
