import KeepsakeCoding
import KeepsakeDocuments

/// What an engine has of an asset, beside the documents; its content is in blobs, chunk by chunk.
struct AssetManifest: Codable, Hashable {
  /// The number of bytes.
  var length: Int
  /// The digest of all bytes.
  var digest: String
  /// The number of bytes in each chunk but the last one.
  var chunkLength: Int
  /// How many chunks are there, from the first one on.
  var chunkCount = 0
  /// Since when no document is known to name it, in seconds since 1970.
  var unusedSince: Int?
  /// Whether its chunks are being removed.
  var isRemoved = false

  init(of content: [UInt8], chunkLength: Int) {
    length = content.count
    digest = content.digest
    self.chunkLength = chunkLength
  }

  /// How many chunks there are in the end.
  var wholeCount: Int { (length + chunkLength - 1) / chunkLength }

  var isWhole: Bool { chunkCount == wholeCount && !isRemoved }

  /// Whether another is of the same content, in the same chunks.
  func isSame(as other: AssetManifest) -> Bool {
    (length, digest, chunkLength) == (other.length, other.digest, other.chunkLength)
  }

  // MARK: In an engine

  /// The manifests' names begin with this, which no document's name contains.
  private static let prefix = Array("Assets/".utf8)

  static func key(of name: String) -> SyncKey { .value(prefix + Array(name.utf8)) }

  static func chunkKey(_ number: Int, of name: String) -> SyncKey { .blob("\(name)/\(number)") }

  /// The asset whose manifest a key is for.
  static func name(of key: SyncKey) -> String? {
    guard case .value(let bytes) = key, bytes.starts(with: prefix) else { return nil }
    return String(validating: bytes[prefix.count...], as: UTF8.self)
  }

  /// - Returns: Nil if it cannot be read, or says what cannot be.
  init?(_ item: SyncItem?) {
    let lengths = 0...(1 << 40)
    guard let item, let found = try? JSON.Decoder().decode(Self.self, from: item.value),
      lengths.contains(found.length), lengths.contains(found.chunkLength), found.chunkLength > 0,
      (0...found.wholeCount).contains(found.chunkCount), found.unusedSince ?? 0 >= 0
    else { return nil }
    self = found
  }

  var bytes: [UInt8] {
    get throws { try JSON.Encoder().encodeToBytes(self) }
  }
}
