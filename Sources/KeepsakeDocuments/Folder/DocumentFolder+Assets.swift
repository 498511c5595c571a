import KeepsakeFiles
import Synchronization
import SystemPackage

extension DocumentFolder {
  /// The types of which assets are.
  var assetTypes: [AssetType] { configuration.assetLimits.types }

  /// Keeps content as an asset, which survives the death of the process.
  func add(_ bytes: [UInt8], as type: AssetType) throws(DocumentError) -> Asset {
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
    return asset
  }

  /// The assets that some documents name and did not before, and those of them that are not known to
  /// be durable; each is where it belongs, or is reported as missing and left out.
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
      guard try bringIntoPlace(asset) else { continue }
      all.append(asset)
      if knownAssets.withLock({ $0[asset] }) != .sure { toFlush.append(asset) }
    }
    return (all, toFlush)
  }

  /// Notes whether some assets are durable.
  func note(_ assets: [Asset], _ durability: KnownContents.Durability) {
    knownAssets.withLock { known in
      for asset in assets { known[asset] = durability }
    }
  }

  /// Sees that an asset is in the folder, and that a flush can make it durable.
  ///
  /// - Returns: Whether there is such an asset.
  private func bringIntoPlace(_ asset: Asset) throws(DocumentError) -> Bool {
    let path = file(asset.name)
    if try information(at: path) == nil {
      note([asset], .unknown)
      if try bringBack(asset) { return true }
      report(
        DocumentError(.invalidAsset, "a document names an asset that is not there", file: path))
      return false
    }
    switch knownAssets.withLock({ $0[asset] }) ?? .unknown {
    case .sure: return true
    case .refused: break
    case .unknown: if refusals.load(ordering: .acquiring) == 0 { return true }
    }
    do throws(FileError) {
      // No flush makes durable what one before could not.
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
      do throws(FileError) {
        let youngest = Self.moment(ago: age)
        var orphans: Set<Asset> = []
        for name in try contentsIfThere(of: path) {
          guard let asset = Asset(name: name), asset.isNamedByStore(types: assetTypes),
            !kept.contains(asset), let found = try fileSystem.information(at: file(name)),
            found.kind == .file, found.modified <= youngest
          else { continue }
          orphans.insert(asset)
        }
        if orphans.isEmpty { return [] }
        try visitNamedAssets { _, named in
          orphans.subtract(named)
          return !orphans.isEmpty
        }
        let removed = orphans.sorted { $0.name < $1.name }
        for asset in removed { try fileSystem.remove(file(asset.name)) }
        note(removed, .unknown)
        return removed
      } catch {
        throw DocumentError(unavailable: error)
      }
    }
  }

  // MARK: Who names what

  /// Calls a closure with the assets that each file of the folder names: documents of any kind, past
  /// versions, what was removed or set aside, other files.
  ///
  /// - Parameter visit: Returns whether to go on.
  /// - Complexity: O(*n*) in the bytes of all files that are no assets.
  func visitNamedAssets(
    _ visit: (FilePath, Set<Asset>) -> Bool
  ) throws(FileError) {
    let folders = try [path, quarantine] + trashFolders() + subfolders(of: versions)
    for folder in folders {
      for name in try contentsIfThere(of: folder) {
        if let asset = Asset(name: name), asset.isNamedByStore(types: assetTypes) { continue }
        let path = folder.appending(name)
        // It may have been renamed or removed, which only who holds the lock does to a document.
        guard try fileSystem.information(at: path)?.kind == .file else { continue }
        if try !visit(path, namedAssets(inFile: path)) { return }
      }
    }
  }

  /// The assets that a file of any size names.
  private func namedAssets(inFile path: FilePath) throws(FileError) -> Set<Asset> {
    let piece = 1 << 20
    // A name that a piece ends in the middle of is whole in the next, with all its letters escaped.
    let overlap = 512
    var names: Set<Asset> = []
    let file: any OpenFile
    do throws(FileError) {
      file = try fileSystem.open(path, .read)
    } catch  where error.code == .noSuchFileOrDirectory {
      return []
    }
    var offset: Int64 = 0
    while true {
      let bytes = try file.readAll(from: offset, limit: piece)
      names.formUnion(AssetNames.all(inText: bytes, types: assetTypes))
      if bytes.count < piece { return names }
      offset += Int64(piece - overlap)
    }
  }

  func subfolders(of folder: FilePath) throws(FileError) -> [FilePath] {
    try contentsIfThere(of: folder).map { folder.appending($0) }
  }

  /// The names in a folder, sorted; none where there is no folder.
  func contentsIfThere(of folder: FilePath) throws(FileError) -> [String] {
    do throws(FileError) {
      return try fileSystem.contents(ofFolder: folder).sorted()
    } catch  where error.code == .noSuchFileOrDirectory || error.code == .notDirectory {
      return []
    }
  }
}
