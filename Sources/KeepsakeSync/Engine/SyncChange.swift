/// One commit of a namespace, as those receive it who follow the namespace.
public struct SyncChange: Hashable, Sendable {
  /// The commit's revision.
  public var revision: UInt64
  /// The new values; nil for keys that were removed.
  public var writes: [SyncKey: [UInt8]?]

  /// Creates a change.
  public init(revision: UInt64, writes: [SyncKey: [UInt8]?]) {
    self.revision = revision
    self.writes = writes
  }
}
