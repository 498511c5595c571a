/// Which engine it is, and where it is.
public struct SyncPosition: Hashable, Sendable {
  /// The identity that snapshots have.
  public var cluster: String
  /// The revision of the namespace's last commit.
  public var revision: UInt64
  /// The engine's revision, which is later if other namespaces have a part in it.
  public var engineRevision: UInt64

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - cluster: The identity that snapshots have.
  ///   - revision: The revision of the namespace's last commit.
  ///   - engineRevision: Nil if it is that of the namespace's last commit.
  public init(cluster: String, revision: UInt64, engineRevision: UInt64? = nil) {
    self.cluster = cluster
    self.revision = revision
    self.engineRevision = engineRevision ?? revision
  }
}
