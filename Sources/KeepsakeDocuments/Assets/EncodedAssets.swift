import KeepsakeBase
import KeepsakeCoding

/// The assets that a document encodes, also in what is encrypted or encoded to data.
///
/// An asset is flushed with the documents whose text contains its name, and kept for them. Encryption of
/// a part of a document, or its encoding to data, hides the name.
final class EncodedAssets: Sendable {
  /// Those of the document that is being encoded.
  @TaskLocal static var current: EncodedAssets?

  private let assets = Mutex<[Asset]>([])

  func note(_ asset: Asset) {
    assets.withLock { $0.append(asset) }
  }

  /// Encodes a document.
  ///
  /// - Throws: What the encoder throws; `EncodingError` if an asset's name is not in the text.
  static func bytes(
    of document: some Encodable, by encoder: JSON.Encoder, types: [Asset.ContentType]
  ) throws -> [UInt8] {
    let encoded = EncodedAssets()
    let bytes = try $current.withValue(encoded) { try encoder.encodeToBytes(document) }
    let assets = encoded.assets.withLock { $0 }
    if assets.isEmpty { return bytes }
    let shown = AssetNames.all(inText: bytes, types: types)
    // The store does not manage other files.
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
