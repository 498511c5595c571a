/// Something that a synchronizer asks for: its answers and changes come with the same number.
package enum SyncStep: Hashable, Sendable {
  /// Read everything in the namespace.
  case read(id: UInt64)
  case commit(id: UInt64, SyncCommit)
  /// Receive every commit after a revision, each once and in order, until the connection ends.
  case follow(id: UInt64, after: UInt64)
  /// Nothing more is wanted of it.
  case cancel(id: UInt64)
}
