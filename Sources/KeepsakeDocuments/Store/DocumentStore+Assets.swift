import KeepsakeBase
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DocumentStore {
  /// Adds an asset that documents can name, such as an image.
  ///
  /// It survives the death of the process immediately, and a power cut once a document that names it
  /// is saved.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: The type that the content must have; by default it is detected by the first bytes.
  /// - Throws: ``DocumentError`` with `invalidAsset` if it is too large or of no type that the store
  ///   accepts, with `notWritten` if it was not kept.
  /// - Complexity: O(*n*).
  public func addAsset(
    _ bytes: [UInt8], as type: Asset.ContentType? = nil
  ) throws(DocumentError) -> Asset {
    let accepted: (bytes: [UInt8], type: Asset.ContentType)
    do throws(Asset.ContentError) {
      accepted = try configuration.assetLimits.accept(bytes, as: type)
    } catch {
      throw DocumentError(.invalidAsset, "the asset is not taken", cause: error)
    }
    return try directory.add(accepted.bytes, as: accepted.type)
  }

  /// Adds an asset, as ``addAsset(_:as:)-([UInt8],_)`` does.
  public func addAsset(_ data: Data, as type: Asset.ContentType? = nil) throws(DocumentError)
    -> Asset
  {
    try addAsset([UInt8](data), as: type)
  }

  /// The content of an asset.
  ///
  /// - Throws: ``DocumentError`` with `notFound` if there is none, `unavailable` if it cannot be read,
  ///   `invalidAsset` if it is longer than the store accepts.
  /// - Complexity: O(*n*).
  public func asset(_ asset: Asset) throws(DocumentError) -> [UInt8] {
    let limit = configuration.assetLimits.byteCount
    if let size = try directory.information(at: path(of: asset))?.size, size > limit {
      throw DocumentError(
        .invalidAsset, "the asset has \(size) bytes, and the store takes at most \(limit)",
        file: path(of: asset), kept: "it was not read")
    }
    guard let bytes = try directory.content(of: asset.name) else {
      throw DocumentError(.notFound, "there is no such asset", file: path(of: asset))
    }
    return bytes
  }

  /// The path of an asset's file.
  public func path(of asset: Asset) -> FilePath { directory.file(asset.name) }

  /// Removes assets permanently that nothing names: no document of any kind in the directory, no past
  /// version, nothing in the trash or the quarantine, no live document of this process with unsaved
  /// changes.
  ///
  /// A name counts anywhere in a file. Only files with names as the store gives them are removed. After
  /// the disk has refused to flush names, nothing is removed until the store is opened again.
  ///
  /// - Parameter age: The time since an asset was written, at least.
  /// - Returns: The assets that were removed.
  /// - Throws: ``DocumentError`` if a file cannot be read or a live document cannot be encoded, because
  ///   it might name any asset; if other programs change the files constantly; with `invalidAsset` if
  ///   assets have the path extension of documents in the directory. Then nothing is removed.
  /// - Complexity: O(*n*) in the bytes of all files that are not assets.
  @discardableResult
  public func collectOrphans(
    olderThan age: Duration = .seconds(24 * 60 * 60)
  ) throws(DocumentError) -> [Asset] {
    var kept = try assetsOfUnsaved(in: directory)
    // Two paths may lead to the same directory, and further names do no harm.
    for owner in UnsavedDocuments.all where owner !== self {
      kept.formUnion(try owner.assetsOfUnsaved(in: directory))
    }
    return try directory.collectOrphans(olderThan: age, except: kept)
  }

  /// The assets of a directory's types that live documents with unsaved changes name.
  ///
  /// - Throws: ``DocumentError`` with `unencodable` if one in that directory cannot be encoded.
  func assetsOfUnsaved(in other: DocumentDirectory) throws(DocumentError) -> Set<Asset> {
    var assets: Set<Asset> = []
    for live in coordinator.unsaved {
      let document = live.state.withLock { $0.value }
      do {
        let value = try coding.value(of: document)
        assets.formUnion(AssetNames.all(in: value, types: other.assetTypes))
      } catch {
        if directory.isSame(as: other) { throw unencodable(document, error) }
      }
    }
    return assets
  }
}
