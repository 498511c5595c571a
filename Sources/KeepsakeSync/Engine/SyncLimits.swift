/// How much an engine takes in one commit, beside the record of an origin.
public struct SyncLimits: Hashable, Sendable {
  /// The number of writes, and that of conditions.
  public var writes: Int
  /// The length of all keys and values together, in bytes.
  public var length: Int

  /// Creates limits.
  public init(writes: Int, length: Int) {
    self.writes = writes
    self.length = length
  }
}
