/// What comes through a connection that follows a namespace.
public enum SyncMessage: Hashable, Sendable {
  /// The first message: where the engine is.
  case opened(SyncPosition)
  /// A commit.
  case change(SyncChange)
}
