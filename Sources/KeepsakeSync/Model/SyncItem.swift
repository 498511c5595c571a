/// What an engine has under a key.
package struct SyncItem: Hashable, Sendable {
  package let value: [UInt8]
  /// The revision of the commit that wrote it.
  package let revision: UInt64

  package init(value: [UInt8], revision: UInt64) {
    self.value = value
    self.revision = revision
  }
}
