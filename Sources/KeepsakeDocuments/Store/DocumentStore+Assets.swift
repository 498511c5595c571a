import KeepsakeBase
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DocumentStore {
  /// Keeps content that documents can name, such as an image, under a name of its own.
  ///
  /// It survives the death of the process at once, and a power cut as soon as a document that names
  /// it is saved.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - type: What it is said to be, with which it must agree; by default its first bytes say it.
  /// - Throws: ``DocumentError`` with `invalidAsset` where it is too large or of no type that the
  ///   store takes, with `notWritten` where it was not kept.
  /// - Complexity: O(*n*).
  public func addAsset(
    _ bytes: [UInt8], as type: AssetType? = nil
  ) throws(DocumentError) -> Asset {
    let accepted: (bytes: [UInt8], type: AssetType)
    do throws(AssetError) {
      accepted = try configuration.assetLimits.accept(bytes, as: type)
    } catch {
      throw DocumentError(.invalidAsset, "the asset is not taken", cause: error)
    }
    return try directory.add(accepted.bytes, as: accepted.type)
  }

  /// Keeps content that documents can name, as ``addAsset(_:as:)-([UInt8],_)`` does.
  public func addAsset(_ data: Data, as type: AssetType? = nil) throws(DocumentError) -> Asset {
    try addAsset([UInt8](data), as: type)
  }

  /// The content of an asset.
  ///
  /// - Throws: ``DocumentError`` with `notFound` if there is none, `unavailable` if it cannot be read,
  ///   `invalidAsset` if it is longer than the store takes.
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

  /// Removes assets for good that nothing names: no document of any kind in the directory, no past
  /// version, nothing in the trash or the quarantine, no live document of this process that is still
  /// to be saved.
  ///
  /// A name counts wherever it stands in a file. Only files that are named as the store names assets
  /// are removed.
  ///
  /// - Parameter age: How long ago an asset must have been written.
  /// - Returns: What was removed.
  /// - Throws: ``DocumentError`` where a file cannot be read or a live document not be encoded, for it
  ///   might name any asset, where others change the files all the time, and with `invalidAsset` where
  ///   assets are named as documents of the directory are; then nothing is removed.
  /// - Complexity: O(*n*) in the bytes of all files that are no assets.
  @discardableResult
  public func collectOrphans(
    olderThan age: Duration = .seconds(24 * 60 * 60)
  ) throws(DocumentError) -> [Asset] {
    var kept = try assetsOfUnsaved(in: directory)
    // A directory may be the same by another path, and the names of others do no harm.
    for owner in UnsavedDocuments.all where owner !== self {
      kept.formUnion(try owner.assetsOfUnsaved(in: directory))
    }
    return try directory.collectOrphans(olderThan: age, except: kept)
  }

  /// The assets of a directory's types that live documents name which are still to be saved.
  ///
  /// - Throws: ``DocumentError`` with `unencodable` where that cannot be told of one in that directory.
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
