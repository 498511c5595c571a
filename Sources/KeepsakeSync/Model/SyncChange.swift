/// One commit of a namespace, as those receive it who follow the namespace.
package struct SyncChange: Hashable, Sendable {
  package let revision: UInt64
  /// The new values; nil for keys that were removed.
  package let writes: [SyncKey: [UInt8]?]

  package init(revision: UInt64, writes: [SyncKey: [UInt8]?]) {
    self.revision = revision
    self.writes = writes
  }
}
