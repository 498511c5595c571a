import KeepsakeFiles
import Synchronization
import SystemPackage

extension DocumentFolder {
  /// Moves a document's file to the trash, and the assets that nobody else names; it is there after
  /// a power cut too.
  ///
  /// - Returns: The folder in the trash, and what the file held.
  func moveToTrash(_ name: String) throws(DocumentError) -> (folder: FilePath, content: [UInt8]) {
    try withLock { () throws(DocumentError) -> (FilePath, [UInt8]) in
      guard let content = try content(of: name) else {
        throw DocumentError(.notFound, "there is no such document", file: file(name))
      }
      let assets = try assetsOfItsOwn(name, content)
      let refusals = refusals.load(ordering: .acquiring)
      do throws(FileError) {
        let folder = try trashFolder(for: name)
        try fileSystem.createFolders(folder)
        try fileSystem.rename(file(name), to: folder.appending(name))
        do throws(FileError) {
          // A file that moves has one of its names at least, so that the new one is there too.
          try synchronizeNames(changedAfter: refusals)
        } catch {
          try? fileSystem.rename(folder.appending(name), to: file(name))
          known.withLock { known in
            known.update(name, ContentDigest(of: content)) { $0.durability = .refused }
          }
          throw error
        }
        known.withLock { $0.set(nil, for: name) }
        // Only now: no power cut may leave the document without them.
        for asset in assets {
          try fileSystem.rename(file(asset.name), to: folder.appending(asset.name))
        }
        note(assets, .unknown)
        return (folder, content)
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
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
        let assets = names.filter { $0 != name }
        for asset in assets { try fileSystem.rename(folder.appending(asset), to: file(asset)) }
        let refusals = refusals.load(ordering: .acquiring)
        if !assets.isEmpty { try synchronizeNames(changedAfter: refusals) }
        try fileSystem.rename(folder.appending(name), to: file(name))
        try synchronizeNames(changedAfter: refusals)
        try? fileSystem.remove(folder)
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// Removes documents for good that were removed before a moment, with the past versions of those
  /// that are not there any more; their assets go back, to be collected unless something names them.
  ///
  /// - Parameter latest: The moment, in nanoseconds since 1970.
  /// - Returns: The names of the documents' files, and the folders in the trash that they were in.
  func emptyTrash(
    before latest: Int64
  ) throws(DocumentError) -> [(name: String, folder: FilePath)] {
    try withLock { () throws(DocumentError) -> [(name: String, folder: FilePath)] in
      do throws(FileError) {
        let all = try trashContents()
        var copies: [String: Int] = [:]
        for name in all.compactMap(\.document) { copies[name, default: 0] += 1 }
        // Whether a document is gone for good, no flush tells once one was refused.
        let isSure = refusals.load(ordering: .acquiring) == 0
        let old = all.filter { $0.modified <= latest && ($0.document != nil || isSure) }
        if old.isEmpty { return [] }
        for removed in old {
          guard let name = removed.document else { continue }
          copies[name, default: 1] -= 1
          if copies[name] == 0, try fileSystem.information(at: file(name)) == nil {
            try removeVersions(of: name)
          }
          try fileSystem.remove(removed.folder.appending(name))
        }
        // Only then may the assets be collected: no power cut may bring a document back without them.
        try synchronizeAll()
        for removed in old {
          for asset in removed.assets {
            try fileSystem.rename(removed.folder.appending(asset.name), to: file(asset.name))
          }
          try fileSystem.remove(removed.folder)
        }
        return old.compactMap { removed in removed.document.map { ($0, removed.folder) } }
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// A folder in the trash: a document of this kind with its assets, or the assets of one that is
  /// gone for good.
  private struct Removed {
    let folder: FilePath
    let modified: Int64
    let document: String?
    let assets: [Asset]
  }

  /// What is in the trash; a folder with anything else in it is another store's, or somebody else's.
  private func trashContents() throws(FileError) -> [Removed] {
    var contents: [Removed] = []
    for folder in try trashFolders() {
      guard let found = try fileSystem.information(at: folder), found.kind == .folder else {
        continue
      }
      let names = try contentsIfThere(of: folder)
      let assets = names.compactMap { Asset(name: $0) }.filter {
        $0.isNamedByStore(types: assetTypes)
      }
      let document = names.first { $0.hasSuffix(".\(pathExtension)") }
      guard names.count == assets.count + (document == nil ? 0 : 1) else { continue }
      contents.append(
        Removed(folder: folder, modified: found.modified, document: document, assets: assets))
    }
    return contents
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

  /// The folders of all that was removed.
  func trashFolders() throws(FileError) -> [FilePath] { try subfolders(of: trash) }

  /// `Trash/<id>`, or with a number behind it where a document of the name is there already.
  private func trashFolder(for name: String) throws(FileError) -> FilePath {
    let folder = trash.appending(stem(of: name))
    if try fileSystem.information(at: folder) == nil { return folder }
    var number = 2
    while true {
      let folder = FilePath("\(folder)-\(number)")
      if try fileSystem.information(at: folder) == nil { return folder }
      number += 1
    }
  }

  /// The assets that are named by one document alone, of all that are in the folder.
  private func assetsOfItsOwn(
    _ name: String, _ content: [UInt8]
  ) throws(DocumentError) -> [Asset] {
    var assets = AssetNames.all(inText: content, types: assetTypes)
    if assets.isEmpty { return [] }
    let own = versionsFolder(of: name)
    do throws(FileError) {
      try visitNamedAssets { path, named in
        if path != file(name) && path.removingLastComponent() != own { assets.subtract(named) }
        return !assets.isEmpty
      }
    } catch {
      throw DocumentError(unavailable: error)
    }
    return assets.sorted { $0.name < $1.name }.filter {
      (try? fileSystem.information(at: file($0.name)))??.kind == .file
    }
  }
}
