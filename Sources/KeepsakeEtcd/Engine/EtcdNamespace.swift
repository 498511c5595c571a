#if Etcd
import KeepsakeBase
import KeepsakeSync

/// Where a namespace's items are among etcd's keys.
///
/// `NAME/values/KEY` and `NAME/origins/ORIGIN`; a slash in the name is written as `%2F`. Each commit also puts
/// `NAME/head`, whose revision is that of the namespace's last commit, and whose value says how the rest is kept.
/// Blobs are `NAME%blobs/KEY`, which no reading or watching of `NAME/` includes.
struct EtcdNamespace {
  /// What the head's value is.
  static let format = Array("keepsake 1".utf8)

  private let prefix: [UInt8]
  private let values: [UInt8]
  private let origins: [UInt8]
  private let blobs: [UInt8]
  let head: Base64Bytes
  let name: String

  init(_ name: String) {
    self.name = name
    let name = Array(PercentEncoding.encode(name) { $1 == "/" }.utf8)
    prefix = name + Array("/".utf8)
    // A percent sign in a name is followed by digits.
    blobs = name + Array("%blobs/".utf8)
    values = prefix + Array("values/".utf8)
    origins = prefix + Array("origins/".utf8)
    head = Base64Bytes(prefix + Array("head".utf8))
  }

  var first: Base64Bytes { Base64Bytes(prefix) }
  /// The first key behind those of the namespace.
  var end: Base64Bytes { Base64Bytes(prefix.dropLast() + [UInt8(ascii: "/") + 1]) }

  subscript(key: SyncKey) -> Base64Bytes {
    switch key {
    case .value(let key): Base64Bytes(values + key)
    case .origin(let origin): Base64Bytes(origins + Array(origin.utf8))
    case .blob(let name): Base64Bytes(blobs + Array(name.utf8))
    }
  }

  /// The item that a key of etcd's is for; nil for the head, and for what others have put there.
  subscript(key: Base64Bytes) -> SyncKey? {
    if key.bytes.starts(with: values) { return .value(Array(key.bytes[values.count...])) }
    guard key.bytes.starts(with: origins) else { return nil }
    return .origin(String(decoding: key.bytes[origins.count...], as: UTF8.self))
  }

  /// Throws `rejected` if another version has written a head.
  func checkFormat(of head: KeyValue) throws(SyncError) {
    let found = head.value?.bytes ?? []
    guard found != Self.format else { return }
    throw .rejected(
      """
      The namespace was written by another version: its head is \
      "\(String(decoding: found, as: UTF8.self))" and not \
      "\(String(decoding: Self.format, as: UTF8.self))".
      """)
  }
}
#endif
