import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// Removes documents for good that were removed before a moment, with the past versions of those
  /// that are neither there any more nor set aside; their assets go back, to be collected unless
  /// something names them.
  ///
  /// - Parameter latest: The moment, in nanoseconds since 1970.
  /// - Returns: The names of the documents' files, and the directories in the trash that they were in.
  func emptyTrash(
    before latest: Int64
  ) throws(DocumentError) -> [(name: String, directory: FilePath)] {
    try withLock { () throws(DocumentError) -> [(name: String, directory: FilePath)] in
      try requireNoDocuments(among: assetTypes)
      do throws(FileError) {
        let all = try trashContents()
        var copies: [String: Int] = [:]
        for name in all.compactMap(\.document) { copies[name, default: 0] += 1 }
        // Whether a document is gone for good, no flush tells once one was refused.
        let isSure = refusals.load(ordering: .acquiring) == 0
        let old = all.filter { $0.modified <= latest && ($0.document != nil || isSure) }
        if old.isEmpty { return [] }
        // What was set aside may come back as a past version only.
        let aside = try Set(contentsIfThere(of: quarantine).compactMap(Self.originalName(ofAside:)))
        for removed in old {
          guard let name = removed.document else { continue }
          copies[name, default: 1] -= 1
          if copies[name] == 0, !aside.contains(name),
            try fileSystem.information(at: file(name)) == nil
          {
            try removeVersions(of: name)
          }
          try fileSystem.remove(removed.directory.appending(name))
          known.withLock { $0.set(nil, for: Self.trashName(name, in: removed.directory)) }
        }
        // Only then may the assets be collected: no power cut may bring a document back without them.
        try synchronizeAll()
        for removed in old {
          for asset in removed.assets {
            try fileSystem.rename(removed.directory.appending(asset.name), to: file(asset.name))
          }
          try fileSystem.remove(removed.directory)
        }
        return old.compactMap { removed in removed.document.map { ($0, removed.directory) } }
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// A directory in the trash: a document of this kind with its assets, or the assets of one that is
  /// gone for good.
  private struct Removed {
    let directory: FilePath
    let modified: Int64
    let document: String?
    let assets: [Asset]
  }

  /// What is in the trash; a directory with anything else in it is another store's, or somebody else's.
  private func trashContents() throws(FileError) -> [Removed] {
    var contents: [Removed] = []
    for directory in try trashDirectories() {
      guard let found = try fileSystem.information(at: directory), found.kind == .directory else {
        continue
      }
      let names = try contentsIfThere(of: directory)
      let assets = names.compactMap { Asset(name: $0) }.filter {
        $0.isNamedByStore(types: assetTypes)
      }
      let document = names.first { $0.hasSuffix(".\(pathExtension)") }
      guard names.count == assets.count + (document == nil ? 0 : 1) else { continue }
      contents.append(
        Removed(directory: directory, modified: found.modified, document: document, assets: assets))
    }
    return contents
  }

  /// The directories of all that was removed.
  func trashDirectories() throws(FileError) -> [FilePath] { try subdirectories(of: trash) }
}
