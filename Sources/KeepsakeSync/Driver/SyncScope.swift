/// How far something is to be done.
public enum SyncScope: Sendable {
  /// By the engine that all machines share.
  case everywhere
}
