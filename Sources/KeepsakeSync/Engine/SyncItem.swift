/// What an engine has under a key.
public struct SyncItem: Hashable, Sendable {
  /// The bytes that were written.
  public var value: [UInt8]
  /// The revision of the commit that wrote it.
  public var revision: UInt64

  /// Creates an item.
  public init(value: [UInt8], revision: UInt64) {
    self.value = value
    self.revision = revision
  }
}
