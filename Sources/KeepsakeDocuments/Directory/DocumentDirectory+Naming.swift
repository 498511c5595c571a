import KeepsakeFiles
import SystemPackage

/// Finds out which assets are named.
extension DocumentDirectory {
  /// How often the directory is examined before the call fails because it changes constantly.
  private static let maximumPasses = 10

  /// Calls a closure with the assets that each file of the directory names: documents of any kind, past
  /// versions, the trash, the quarantine, and other files.
  ///
  /// It receives all that was named at one moment, although stores of other kinds, with other locks, and
  /// other programs may move or write files meanwhile: files that changed are read again until the same
  /// files exist before and after.
  ///
  /// - Parameter visit: Returns whether to continue; receives what a file names now, and what it named
  ///   before.
  /// - Complexity: O(*n*) in the bytes of all files that are not assets.
  func visitNamedAssets(
    _ visit: (FilePath, Set<Asset>) -> Bool
  ) throws(FileError) {
    var read: [FilePath: FileStamp] = [:]
    var latest = path
    for _ in 0..<Self.maximumPasses {
      let files = try namingFiles()
      let areSame = files.allSatisfy { $0.stamp != nil && read[$0.path] == $0.stamp }
      if areSame && files.count == read.count { return }
      var current: [FilePath: FileStamp] = [:]
      for (path, stamp) in files {
        if stamp == nil || read[path] != stamp {
          latest = path
          guard stamp != nil, let names = try namedAssets(inFile: path) else { continue }
          if !visit(path, names) { return }
        }
        current[path] = stamp
      }
      read = current
    }
    throw FileError(
      .read, latest, .resourceTemporarilyUnavailable,
      effect: "it changes constantly, or has a name that is not UTF-8; nothing was changed")
  }

  /// All files that may name assets; one without a stamp is listed, but does not exist.
  private func namingFiles() throws(FileError) -> [(path: FilePath, stamp: FileStamp?)] {
    let directories =
      try [path, quarantine, trash, versions] + subdirectories(of: trash)
      + subdirectories(of: versions)
    var files: [(path: FilePath, stamp: FileStamp?)] = []
    for directory in directories {
      for name in try contentsIfThere(of: directory) {
        if let asset = Asset(name: name), asset.isNamedByStore(types: assetTypes) { continue }
        // A lock's file changes each time the lock is acquired.
        if name.hasPrefix(".") && name.hasSuffix(".lock") { continue }
        let path = directory.appending(name)
        guard let found = try fileSystem.information(at: path) else {
          files.append((path, nil))
          continue
        }
        switch found.kind {
        case .file:
          files.append((path, FileStamp(found)))
        case .symbolicLink: try requireDirectory(at: path)
        case .directory, .other: break
        }
      }
    }
    return files
  }

  /// Throws unless a link leads to a directory: a file might be a document, and is not read.
  private func requireDirectory(at link: FilePath) throws(FileError) {
    do throws(FileError) {
      _ = try fileSystem.contents(ofDirectory: link)
    } catch {
      throw FileError(.read, link, .tooManySymbolicLinkLevels)
    }
  }

  /// The assets that a file of any size names, or `nil` if there is none.
  private func namedAssets(inFile path: FilePath) throws(FileError) -> Set<Asset>? {
    let chunk = 1 << 20
    // A name at the end of a chunk is complete in the next one, even with all its letters escaped.
    let overlap = 512
    var names: Set<Asset> = []
    let file: any OpenFile
    do throws(FileError) {
      file = try fileSystem.open(path, .read)
    } catch  where error.code == .noSuchFileOrDirectory {
      return nil
    }
    var offset: Int64 = 0
    while true {
      let bytes = try file.readAll(from: offset, limit: chunk)
      names.formUnion(AssetNames.all(inText: bytes, types: assetTypes))
      if bytes.count < chunk { return names }
      offset += Int64(chunk - overlap)
    }
  }

  // MARK: Kinds

  /// Checks that no asset has the path extension of documents of any kind.
  func requireNoDocuments(among types: [Asset.ContentType]) throws(DocumentError) {
    for type in types {
      let lock = file(Self.lockName(of: type.pathExtension))
      guard try information(at: lock) != nil else { continue }
      throw DocumentError(
        .invalidAsset,
        "'\(type.pathExtension)' is the extension of documents here, and cannot be an asset's",
        file: path, kept: "nothing was changed")
    }
  }

  /// Whether a file has the path extension of documents of any kind.
  func isDocument(_ name: String) throws(FileError) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    let lock = Self.lockName(of: String(name[name.index(after: dot)...]))
    return try fileSystem.information(at: file(lock)) != nil
  }
}
