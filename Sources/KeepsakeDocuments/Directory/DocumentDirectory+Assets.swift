import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// The types of assets.
  var assetTypes: [Asset.ContentType] { configuration.assetLimits.types }

  /// Writes an asset, which survives the death of the process.
  func add(_ bytes: [UInt8], as type: Asset.ContentType) throws(DocumentError) -> Asset {
    let asset = Asset(type)
    do throws(FileError) {
      let file = try fileSystem.open(file(asset.name), .createNew(permissions: .ownerReadWrite))
      do throws(FileError) {
        try file.writeAll(bytes)
      } catch {
        try? fileSystem.remove(file.path)
        throw error
      }
    } catch {
      throw DocumentError(notWritten: error)
    }
    added.withLock { $0[asset] = .now }
    return asset
  }

  /// The assets that some documents name and did not before, and those of them that are not known to
  /// be durable; one that is missing is reported and left out.
  func assetsAdded(
    by writings: [DocumentWriting]
  ) throws(DocumentError) -> (all: [Asset], toFlush: [Asset]) {
    var names: Set<Asset> = []
    for writing in writings {
      var added = AssetNames.all(inText: writing.text, types: assetTypes)
      if !added.isEmpty, let found = writing.found {
        added.subtract(AssetNames.all(inText: found, types: assetTypes))
      }
      names.formUnion(added)
    }
    var all: [Asset] = []
    var toFlush: [Asset] = []
    for asset in names.sorted(by: { $0.name < $1.name }) {
      guard try prepare(asset) else { continue }
      all.append(asset)
      if knownAssets.withLock({ $0[asset] }) != .durable { toFlush.append(asset) }
    }
    return (all, toFlush)
  }

  /// Notes whether some assets are durable.
  func note(_ assets: [Asset], _ durability: KnownContents.Durability) {
    knownAssets.withLock { known in
      for asset in assets { known[asset] = durability }
    }
  }

  /// Checks that an asset exists, and that a flush can make it durable.
  ///
  /// - Returns: Whether it exists.
  private func prepare(_ asset: Asset) throws(DocumentError) -> Bool {
    let path = file(asset.name)
    if try information(at: path) == nil {
      note([asset], .unknown)
      report(
        DocumentError(.invalidAsset, "a document names an asset that does not exist", file: path))
      return false
    }
    switch knownAssets.withLock({ $0[asset] }) ?? .unknown {
    case .durable: return true
    case .refused: break
    case .unknown: if refusals.load(ordering: .acquiring) == 0 { return true }
    }
    do throws(FileError) {
      // What a flush was refused for, no later flush makes durable.
      if let bytes = try fileSystem.readFile(at: path) {
        try fileSystem.replaceFile(at: path, with: bytes)
      }
      return true
    } catch {
      throw DocumentError(notWritten: error)
    }
  }

  /// Removes assets that no file names, and that are not among some others.
  func collectOrphans(
    olderThan age: Duration, except kept: Set<Asset>
  ) throws(DocumentError) -> [Asset] {
    try withLock { () throws(DocumentError) -> [Asset] in
      try requireNoDocuments(among: assetTypes)
      do throws(FileError) {
        let youngest = Self.moment(ago: age)
        var orphans: Set<Asset> = []
        for name in try contentsIfThere(of: path) {
          guard let asset = Asset(name: name), asset.isNamedByStore(types: assetTypes),
            !kept.contains(asset), !wasAdded(asset, within: age),
            let found = try fileSystem.information(at: file(name)),
            found.kind == .file, found.modified <= youngest
          else { continue }
          orphans.insert(asset)
        }
        // After a refused flush it is not sure that a document which is gone will not come back.
        if orphans.isEmpty || refusals.load(ordering: .acquiring) > 0 { return [] }
        try visitNamedAssets { _, named in
          orphans.subtract(named)
          return !orphans.isEmpty
        }
        if orphans.isEmpty { return [] }
        // No power cut may bring back a document without its assets.
        try synchronizeAll()
        let removed = orphans.sorted { $0.name < $1.name }
        for asset in removed { try fileSystem.remove(file(asset.name)) }
        note(removed, .unknown)
        return removed
      } catch {
        throw DocumentError(unavailable: error)
      }
    }
  }

  /// Whether this store added an asset within a time, by a clock that cannot be set.
  func wasAdded(_ asset: Asset, within age: Duration) -> Bool {
    added.withLock { $0[asset] }.map { $0.duration(to: .now) < age } ?? false
  }
}
