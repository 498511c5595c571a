import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// Moves a document to the trash; it is there after a power cut, too. Its assets stay where they are.
  ///
  /// - Returns: The removed document, for ``restore(_:)``.
  /// - Throws: ``DocumentError`` with `notFound` if there is none, with `notWritten` if it was not removed,
  ///   and as ``LiveDocument/save()`` does if unsaved changes cannot be saved; then it is not removed.
  /// - Complexity: O(*n*) in the length of the file.
  @discardableResult
  public func remove(_ id: ID) throws(DocumentError) -> RemovedDocument<ID> {
    // Unsaved changes belong into the trash, too.
    if let live = liveIfOpen(id), live.hasUnsavedChanges { try live.save() }
    // After an error of the disk the file may be in the trash nevertheless.
    defer { changed([id]) }
    let name = directory.name(of: id)
    guard let trash = try directory.moveToTrash(name) else {
      throw DocumentError(.notFound, "there is no such document", file: directory.file(name))
    }
    return RemovedDocument(id: id, directory: trash)
  }

  /// Moves a removed document back.
  ///
  /// - Throws: ``DocumentError`` with `exists` if there is another of its identity, with `notWritten` if it
  ///   stays in the trash or is not there.
  public func restore(_ removed: RemovedDocument<ID>) throws(DocumentError) {
    defer { changed([removed.id]) }
    try directory.moveBack(directory.name(of: removed.id), from: removed.directory)
  }

  /// Removes documents permanently that were removed long ago, with their past versions.
  ///
  /// Their assets become orphans, which ``collectOrphans(olderThan:)`` removes. A power cut may bring
  /// the documents back into the trash.
  ///
  /// - Parameter age: The time since a document was removed, at least.
  /// - Returns: The documents, which can no longer be restored.
  /// - Throws: ``DocumentError`` if the disk refuses; what was not removed can be restored.
  @discardableResult
  public func emptyTrash(
    olderThan age: Duration = .seconds(30 * 24 * 60 * 60)
  ) throws(DocumentError) -> [RemovedDocument<ID>] {
    documents(try directory.emptyTrash(before: DocumentDirectory.moment(ago: age)))
  }

  /// The documents in the trash, in the order of their directories' names.
  ///
  /// - Throws: ``DocumentError`` if the trash cannot be listed.
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
