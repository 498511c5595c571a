/// How much an engine takes in one commit, beside the record of an origin.
public struct SyncLimits: Hashable, Sendable {
  /// The number of writes, and that of conditions.
  public var writes: Int
  /// The length of all keys and values together, in bytes.
  public var length: Int
  /// The length of one key, in bytes.
  public var keyLength: Int

  /// Creates limits; keys have none of their own unless it is given.
  public init(writes: Int, length: Int, keyLength: Int = .max) {
    self.writes = writes
    self.length = length
    self.keyLength = keyLength
  }

  /// How much several values have together in one commit at most: where a network is slow, more would not come through
  /// within a time limit.
  var batchLength: Int { min(length, 1 << 20) }

  /// Whether the engine takes a key with its value.
  ///
  /// - Parameter length: How much of a commit they take.
  func allow(keyLength: Int, length: Int) -> Bool {
    length <= self.length && keyLength <= self.keyLength
  }

  /// Why some values are not sent.
  func reason(for names: [String]) -> String {
    let keys = keyLength < .max ? ", and no names of more than \(keyLength)" : ""
    return """
      The engine takes no values of more than \(length) bytes with their names\(keys); these are kept here, and not sent: \
      \(names.sorted().map { "'\($0)'" }.joined(separator: ", ")).
      """
  }
}
