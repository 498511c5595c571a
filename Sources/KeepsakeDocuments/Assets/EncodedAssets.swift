import KeepsakeBase
import KeepsakeCoding

/// The assets that a document names while it is encoded, wherever that is.
///
/// An asset is flushed with its documents, removed with them and kept for them as long as its name
/// stands in their text. What encrypts a part of a document, or encodes it to data, hides the name.
final class EncodedAssets: Sendable {
  /// Those of the document that is being encoded.
  @TaskLocal static var current: EncodedAssets?

  private let assets = Mutex<[Asset]>([])

  func note(_ asset: Asset) {
    assets.withLock { $0.append(asset) }
  }

  /// What a document is encoded as.
  ///
  /// - Throws: What the encoder throws; `EncodingError` where an asset's name is not in the text.
  static func bytes(
    of document: some Encodable, by encoder: JSON.Encoder, types: [AssetType]
  ) throws -> [UInt8] {
    let encoded = EncodedAssets()
    let bytes = try $current.withValue(encoded) { try encoder.encodeBytes(document) }
    let assets = encoded.assets.withLock { $0 }
    if assets.isEmpty { return bytes }
    let shown = AssetNames.all(inText: bytes, types: types)
    // Others' files are nothing that the store looks after.
    let hidden = assets.first { !shown.contains($0) && $0.isNamedByStore(types: types) }
    guard let hidden else { return bytes }
    throw EncodingError.invalidValue(
      hidden,
      EncodingError.Context(
        codingPath: [],
        debugDescription: """
          the asset \(hidden) is named only where it is encrypted or encoded to data, and would not be \
          kept; name it in a property of the document that is neither
          """))
  }
}
