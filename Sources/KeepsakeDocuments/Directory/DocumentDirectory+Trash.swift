import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// Moves a document's file to the trash, and the assets that nobody else names; it is there after
  /// a power cut too.
  ///
  /// - Returns: The directory in the trash.
  func moveToTrash(_ name: String) throws(DocumentError) -> FilePath {
    try withLock { () throws(DocumentError) -> FilePath in
      guard let content = try content(of: name) else {
        throw DocumentError(.notFound, "there is no such document", file: file(name))
      }
      try requireNoDocuments(among: assetTypes)
      let assets = assetsOfItsOwn(name, content)
      let refusals = refusals.load(ordering: .acquiring)
      do throws(FileError) {
        let directory = try makeTrashDirectory(for: name)
        try move(name, content, into: directory, refusals)
        known.withLock { known in
          // What was there before was restored by somebody else.
          known.set(nil, for: Self.trashName(name, in: directory))
          known.move(name, to: Self.trashName(name, in: directory))
        }
        // Only now: no power cut may leave the document without them.
        for asset in assets { tryMove(asset, into: directory) }
        return directory
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// Moves a document's file into its directory in the trash, safe against a power cut on return.
  private func move(
    _ name: String, _ content: [UInt8], into directory: FilePath, _ refusals: Int
  ) throws(FileError) {
    let removed = directory.appending(name)
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
      // The directory stays: a power cut may bring the document back into it.
      if isSurelyFree(removed) { throw error }
      throw error.leaving("the document is in '\(directory)', but a power cut may bring it back")
    }
  }

  private func isSurelyFree(_ path: FilePath) -> Bool {
    do throws(FileError) { return try fileSystem.information(at: path) == nil } catch {
      return false
    }
  }

  /// Moves an asset into the trash after its document, which keeps it from being collected wherever
  /// it is.
  private func tryMove(_ asset: Asset, into directory: FilePath) {
    note([asset], .unknown)
    do throws(FileError) {
      try fileSystem.rename(file(asset.name), to: directory.appending(asset.name))
    } catch {
      var problem = DocumentError(notWritten: error)
      problem.kept = "the asset of a removed document stays where it is"
      report(problem)
    }
  }

  /// What a removed document's content is known as.
  static func trashName(_ name: String, in directory: FilePath) -> String {
    "Trash/\(directory.lastComponent?.string ?? "")/\(name)"
  }

  /// Moves a document back that was removed, its assets before it.
  func moveBack(_ name: String, from directory: FilePath) throws(DocumentError) {
    try withLock { () throws(DocumentError) in
      if try information(at: file(name)) != nil {
        throw DocumentError(
          .exists, "there is a document of that identity already", file: file(name))
      }
      do throws(FileError) {
        let names = try contentsIfThere(of: directory)
        guard names.contains(name) else {
          throw FileError(.rename, directory.appending(name), .noSuchFileOrDirectory)
        }
        let refusals = refusals.load(ordering: .acquiring)
        var isMoved = false
        for asset in names where asset != name {
          // What has the name already is the asset, or somebody else's file.
          guard try !isDocument(asset), try fileSystem.information(at: file(asset)) == nil else {
            continue
          }
          try fileSystem.rename(directory.appending(asset), to: file(asset))
          isMoved = true
        }
        if isMoved { try synchronizeNames(changedAfter: refusals) }
        try fileSystem.rename(directory.appending(name), to: file(name))
        known.withLock { $0.move(Self.trashName(name, in: directory), to: name) }
        try synchronizeNames(changedAfter: refusals)
        try? fileSystem.remove(directory)
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
      for directory in try trashDirectories() {
        let path = directory.appending(asset.name)
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
  private func makeTrashDirectory(for name: String) throws(FileError) -> FilePath {
    try fileSystem.createDirectories(trash)
    let first = trash.appending(stem(of: name))
    var (directory, number) = (first, 2)
    // Made, not looked for: stores of other kinds do the same under locks of their own.
    while try !create(directory) {
      directory = FilePath("\(first)-\(number)")
      number += 1
    }
    do throws(FileError) {
      try fileSystem.synchronizeDirectory(trash)
    } catch {
      try? fileSystem.remove(directory)
      throw error
    }
    return directory
  }

  /// Makes a directory, unless something has its name.
  private func create(_ directory: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      try fileSystem.createDirectory(directory)
      return true
    } catch {
      if error.code == .fileExists { return false }
      throw error
    }
  }

  /// The assets that are named by one document alone, of all that are in the directory; none where that
  /// cannot be told, for they are as safe in their place.
  private func assetsOfItsOwn(_ name: String, _ content: [UInt8]) -> [Asset] {
    var assets = AssetNames.all(inText: content, types: assetTypes)
    if assets.isEmpty { return [] }
    let own = versionsDirectory(of: name)
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
