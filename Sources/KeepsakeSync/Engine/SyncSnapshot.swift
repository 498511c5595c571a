/// Everything in a namespace at one revision.
public struct SyncSnapshot: Hashable, Sendable {
  /// The identity of the engine's cluster and the namespace; another one's revisions mean nothing here.
  public var cluster: String
  /// The revision of the namespace's last commit, or a later one of the engine.
  public var revision: UInt64
  /// What exists, by its keys.
  public var items: [SyncKey: SyncItem]

  /// Creates a snapshot.
  public init(cluster: String, revision: UInt64, items: [SyncKey: SyncItem]) {
    self.cluster = cluster
    self.revision = revision
    self.items = items
  }
}
