/// How much an engine takes in one commit.
package struct SyncLimits: Hashable, Sendable {
  /// The number of keys.
  package var writes: Int
  /// The length of all keys and values together, in bytes.
  package var length: Int

  package init(writes: Int, length: Int) {
    self.writes = writes
    self.length = length
  }
}
