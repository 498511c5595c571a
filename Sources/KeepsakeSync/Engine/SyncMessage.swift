/// What comes through a connection that follows a namespace.
public enum SyncMessage: Hashable, Sendable {
  /// The first message: the identity that snapshots have, the engine's revision, and that of the last commit.
  case opened(cluster: String, revision: UInt64, lastCommit: UInt64)
  /// A commit.
  case change(SyncChange)
}
