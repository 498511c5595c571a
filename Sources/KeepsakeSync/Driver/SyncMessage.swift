/// What comes through a connection that follows a namespace.
package enum SyncMessage: Hashable, Sendable {
  /// The first message: which cluster it is, and its revision.
  case opened(cluster: String, revision: UInt64)
  case change(SyncChange)
}
