import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// Moves a document to the trash; it is there after a power cut, too. Its assets stay where they are.
  ///
  /// - Returns: What ``restore(_:)`` brings back.
  /// - Throws: ``DocumentError`` with `notFound` where there is none, `notWritten` where it stays, or
  ///   as ``LiveDocument/save()`` does where unsaved changes cannot be saved; then it stays too.
  /// - Complexity: O(*n*) in the length of the file.
  @discardableResult
  public func remove(_ id: ID) throws(DocumentError) -> RemovedDocument<ID> {
    // What is still to be saved is to be in the trash too.
    if let live = liveIfOpen(id), live.hasUnsavedChanges { try live.save() }
    // Where the disk failed in the midst of it, the file may be gone all the same.
    defer { changed([id]) }
    let trash = try directory.moveToTrash(directory.name(of: id))
    return RemovedDocument(id: id, directory: trash)
  }

  /// Moves a removed document back.
  ///
  /// - Throws: ``DocumentError`` with `exists` where there is another of its identity by now, with
  ///   `notWritten` where it stays in the trash or is not there.
  public func restore(_ removed: RemovedDocument<ID>) throws(DocumentError) {
    defer { changed([removed.id]) }
    try directory.moveBack(directory.name(of: removed.id), from: removed.directory)
  }

  /// Removes documents permanently that were removed long ago, with their past versions.
  ///
  /// Their assets become orphans, which ``collectOrphans(olderThan:)`` removes. A power cut may bring
  /// the documents back into the trash.
  ///
  /// - Parameter age: How long ago a document must have been removed.
  /// - Returns: What cannot be restored any more.
  /// - Throws: ``DocumentError`` where the disk refuses; what was not removed can be restored.
  @discardableResult
  public func emptyTrash(
    olderThan age: Duration = .seconds(30 * 24 * 60 * 60)
  ) throws(DocumentError) -> [RemovedDocument<ID>] {
    documents(try directory.emptyTrash(before: DocumentDirectory.moment(ago: age)))
  }

  /// The documents in the trash, in the order of their directories' names.
  ///
  /// - Throws: ``DocumentError`` where the trash cannot be listed.
  public func removed() throws(DocumentError) -> [RemovedDocument<ID>] {
    do throws(FileError) {
      return documents(try directory.removed())
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  private func documents(_ removed: [DocumentDirectory.Removed]) -> [RemovedDocument<ID>] {
    removed.compactMap { removed in
      guard let name = removed.document, let id = directory.id(of: name, as: ID.self) else {
        return nil
      }
      return RemovedDocument(id: id, directory: removed.directory)
    }
  }
}
