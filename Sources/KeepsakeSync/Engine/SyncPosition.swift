/// Which engine it is, and where it is.
public struct SyncPosition: Hashable, Sendable {
  /// The identity that snapshots have.
  public var cluster: String
  /// The revision of the namespace's last commit.
  public var revision: UInt64

  /// Creates a position.
  public init(cluster: String, revision: UInt64) {
    self.cluster = cluster
    self.revision = revision
  }
}
