import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings

extension DocumentExchange {
  /// What sends an asset.
  ///
  /// - Complexity: O(*n*) in its bytes.
  func sending(of asset: String) throws -> AssetSending {
    // What has another type may be a document of another kind.
    let isAsset = documents.assets(in: Array(asset.utf8), ofAnyType: false).contains(asset)
    return AssetSending(
      asset, content: isAsset ? try documents.asset(asset) : nil, limits: limits,
      chunkLength: chunkLength)
  }

  /// What fetches an asset.
  func fetching(of asset: String) -> AssetFetching {
    AssetFetching(asset, for: documents, bases.partial(of: asset))
  }

  /// Removes what has come of assets that did not come as a whole since a time, in nanoseconds since 1970.
  func removePartialAssets(unchangedSince time: Int64) throws {
    try bases.removePartials(unchangedSince: time, isDocument: documents.isName)
  }

  /// The assets that are not here and that documents may name which an engine has.
  ///
  /// - Complexity: O(*n*) in the bytes of all documents.
  func missingAssets(in snapshot: SyncSnapshot) throws -> [String] {
    try missingAssets(in: snapshot.items.values.map(\.value)).filter {
      snapshot.items[AssetManifest.key(of: $0)] != nil
    }
  }

  /// The assets that are not here and that the documents of a commit may name.
  func missingAssets(in change: SyncChange) throws -> [String] {
    try missingAssets(in: change.writes.values.compactMap(\.self))
  }

  private func missingAssets(in texts: [[UInt8]]) throws -> [String] {
    var missing: Set<String> = []
    for text in texts {
      for asset in documents.assets(in: text, ofAnyType: true)
      where try !missing.contains(asset) && !documents.hasAsset(asset) {
        missing.insert(asset)
      }
    }
    return missing.sorted()
  }
}
