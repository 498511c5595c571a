/// Everything in a namespace at one revision.
package struct SyncSnapshot: Hashable, Sendable {
  /// The identity of the engine's cluster; another one's revisions mean nothing here.
  package let cluster: String
  /// The revision of the namespace's last commit, or a later one of the engine.
  package let revision: UInt64
  package let items: [SyncKey: SyncItem]

  package init(cluster: String, revision: UInt64, items: [SyncKey: SyncItem]) {
    self.cluster = cluster
    self.revision = revision
    self.items = items
  }
}
