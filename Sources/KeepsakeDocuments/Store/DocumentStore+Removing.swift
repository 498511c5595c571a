import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// Moves a document to the trash, with the assets that nobody else names; it is gone from its place
  /// after a power cut too.
  ///
  /// - Returns: What ``restore(_:)`` brings back.
  /// - Throws: ``DocumentError`` with `notFound` where there is none, `notWritten` where it stays, or
  ///   as ``LiveDocument/save()`` does where unsaved changes cannot be saved; then it stays too.
  /// - Complexity: O(*n*) in the length of the file; where it names assets, in that of all files that
  ///   may name them too.
  @discardableResult
  public func remove(_ id: ID) throws(DocumentError) -> RemovedDocument<ID> {
    // What is still to be saved is to be in the trash too.
    if let live = liveIfOpen(id), live.hasUnsavedChanges { try live.save() }
    // Where the disk failed in the midst of it, the file may be gone all the same.
    defer { changed([id]) }
    let trash = try directory.moveToTrash(directory.name(of: id))
    return RemovedDocument(id: id, directory: trash)
  }

  /// Brings a document back that was removed, with its assets.
  ///
  /// - Throws: ``DocumentError`` with `exists` where there is another of its identity by now, with
  ///   `notWritten` where it stays in the trash or is not there.
  public func restore(_ removed: RemovedDocument<ID>) throws(DocumentError) {
    defer { changed([removed.id]) }
    try directory.moveBack(directory.name(of: removed.id), from: removed.directory)
  }

  /// Removes documents for good that were removed long ago, with their past versions.
  ///
  /// Their assets become orphans, which ``collectOrphans(olderThan:)`` removes.
  ///
  /// - Parameter age: How long ago a document must have been removed.
  /// - Returns: What cannot be restored any more.
  /// - Throws: ``DocumentError`` where the disk refuses; what was not removed can be restored.
  @discardableResult
  public func emptyTrash(
    olderThan age: Duration = .seconds(30 * 24 * 60 * 60)
  ) throws(DocumentError) -> [RemovedDocument<ID>] {
    try directory.emptyTrash(before: DocumentDirectory.moment(ago: age)).compactMap { name, path in
      directory.id(of: name, as: ID.self).map { RemovedDocument(id: $0, directory: path) }
    }
  }

  /// The documents in the trash, in the order of their directories' names.
  ///
  /// - Throws: ``DocumentError`` where the trash cannot be listed.
  public func removed() throws(DocumentError) -> [RemovedDocument<ID>] {
    do throws(FileError) {
      var removed: [RemovedDocument<ID>] = []
      for trash in try directory.trashDirectories() {
        for name in try directory.contentsIfThere(of: trash)
        where name.hasSuffix(".\(directory.pathExtension)") {
          guard let id = directory.id(of: name, as: ID.self) else { continue }
          removed.append(RemovedDocument(id: id, directory: trash))
        }
      }
      return removed
    } catch {
      throw DocumentError(unavailable: error)
    }
  }
}
