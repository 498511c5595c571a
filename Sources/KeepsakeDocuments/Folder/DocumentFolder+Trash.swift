import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentFolder {
  /// Moves a document's file to the trash, and the assets that nobody else names; it is there after
  /// a power cut too.
  ///
  /// - Returns: The folder in the trash.
  func moveToTrash(_ name: String) throws(DocumentError) -> FilePath {
    try withLock { () throws(DocumentError) -> FilePath in
      guard let content = try content(of: name) else {
        throw DocumentError(.notFound, "there is no such document", file: file(name))
      }
      try requireNoDocuments(among: assetTypes)
      let assets = assetsOfItsOwn(name, content)
      let refusals = refusals.load(ordering: .acquiring)
      do throws(FileError) {
        let folder = try makeTrashFolder(for: name)
        try move(name, content, into: folder, refusals)
        known.withLock { known in
          // What was there before was restored by somebody else.
          known.set(nil, for: Self.trashName(name, in: folder))
          known.move(name, to: Self.trashName(name, in: folder))
        }
        // Only now: no power cut may leave the document without them.
        for asset in assets { tryMove(asset, into: folder) }
        return folder
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// Moves a document's file into its folder in the trash, safe against a power cut on return.
  private func move(
    _ name: String, _ content: [UInt8], into folder: FilePath, _ refusals: Int
  ) throws(FileError) {
    let removed = folder.appending(name)
    do throws(FileError) {
      try fileSystem.rename(file(name), to: removed)
      // A file that moves has one of its names at least, so that the new one is there too.
      try synchronizeNames(changedAfter: refusals)
    } catch {
      known.withLock { known in
        known.update(name, ContentDigest(of: content)) { $0.durability = .refused }
      }
      // Somebody who does not take the lock may have made another.
      if isSurelyFree(file(name)) { try? fileSystem.rename(removed, to: file(name)) }
      // The folder stays: a power cut may bring the document back into it.
      if isSurelyFree(removed) { throw error }
      throw error.leaving("the document is in ‘\(folder)’, but a power cut may bring it back")
    }
  }

  private func isSurelyFree(_ path: FilePath) -> Bool {
    do throws(FileError) { return try fileSystem.information(at: path) == nil } catch {
      return false
    }
  }

  /// Moves an asset into the trash after its document, which keeps it from being collected wherever
  /// it is.
  private func tryMove(_ asset: Asset, into folder: FilePath) {
    note([asset], .unknown)
    do throws(FileError) {
      try fileSystem.rename(file(asset.name), to: folder.appending(asset.name))
    } catch {
      var problem = DocumentError(notWritten: error)
      problem.kept = "the asset of a removed document stays where it is"
      report(problem)
    }
  }

  /// What a removed document's content is known as.
  static func trashName(_ name: String, in folder: FilePath) -> String {
    "Trash/\(folder.lastComponent?.string ?? "")/\(name)"
  }

  /// Moves a document back that was removed, its assets before it.
  func moveBack(_ name: String, from folder: FilePath) throws(DocumentError) {
    try withLock { () throws(DocumentError) in
      if try information(at: file(name)) != nil {
        throw DocumentError(
          .exists, "there is a document of that identity already", file: file(name))
      }
      do throws(FileError) {
        let names = try contentsIfThere(of: folder)
        guard names.contains(name) else {
          throw FileError(.rename, folder.appending(name), .noSuchFileOrDirectory)
        }
        let refusals = refusals.load(ordering: .acquiring)
        var isMoved = false
        for asset in names where asset != name {
          // What has the name already is the asset, or somebody else's file.
          guard try !isDocument(asset), try fileSystem.information(at: file(asset)) == nil else {
            continue
          }
          try fileSystem.rename(folder.appending(asset), to: file(asset))
          isMoved = true
        }
        if isMoved { try synchronizeNames(changedAfter: refusals) }
        try fileSystem.rename(folder.appending(name), to: file(name))
        known.withLock { $0.move(Self.trashName(name, in: folder), to: name) }
        try synchronizeNames(changedAfter: refusals)
        try? fileSystem.remove(folder)
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// Brings an asset back from the trash that a document names again.
  ///
  /// - Returns: Whether it was there.
  func bringBack(_ asset: Asset) throws(DocumentError) -> Bool {
    do throws(FileError) {
      for folder in try trashFolders() {
        let path = folder.appending(asset.name)
        guard try fileSystem.information(at: path)?.kind == .file else { continue }
        try fileSystem.rename(path, to: file(asset.name))
        return true
      }
      return false
    } catch {
      throw DocumentError(notWritten: error)
    }
  }

  /// Makes `Trash/<id>`, or with a number behind it where that is there already; it survives a power
  /// cut on return.
  private func makeTrashFolder(for name: String) throws(FileError) -> FilePath {
    try fileSystem.createFolders(trash)
    let first = trash.appending(stem(of: name))
    var (folder, number) = (first, 2)
    // Made, not looked for: stores of other kinds do the same under locks of their own.
    while try !create(folder) {
      folder = FilePath("\(first)-\(number)")
      number += 1
    }
    do throws(FileError) {
      try fileSystem.synchronizeFolder(trash)
    } catch {
      try? fileSystem.remove(folder)
      throw error
    }
    return folder
  }

  /// Makes a folder, unless something has its name.
  private func create(_ folder: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      try fileSystem.createFolder(folder)
      return true
    } catch {
      if error.code == .fileExists { return false }
      throw error
    }
  }

  /// The assets that are named by one document alone, of all that are in the folder; none where that
  /// cannot be told, for they are as safe in their place.
  private func assetsOfItsOwn(_ name: String, _ content: [UInt8]) -> [Asset] {
    var assets = AssetNames.all(inText: content, types: assetTypes)
    if assets.isEmpty { return [] }
    let own = versionsFolder(of: name)
    do throws(FileError) {
      try visitNamedAssets { path, named in
        if path != file(name) && path.removingLastComponent() != own { assets.subtract(named) }
        return !assets.isEmpty
      }
    } catch {
      return []
    }
    return assets.sorted { $0.name < $1.name }.filter {
      (try? fileSystem.information(at: file($0.name)))??.kind == .file
    }
  }
}
