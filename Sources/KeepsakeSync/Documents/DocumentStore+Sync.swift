public import KeepsakeDocuments
public import KeepsakeFiles
public import SystemPackage

extension DocumentStore {
  /// Opens the documents of a directory, and keeps them in agreement with those of other machines.
  ///
  /// ```swift
  /// let cards = try DocumentStore<Card>(
  ///   directory: container.documents, pathExtension: "rwcard",
  ///   sync: .postgres("postgresql://cards@db/cards", namespace: "cards"))
  /// ```
  ///
  /// Documents stay files of the directory, which are loaded and saved without the engine. Changes are sent soon; while
  /// the engine does not answer they are kept, also over restarts. What others have changed is written to the files, as
  /// if another process had. Of several processes that have the directory open, one talks to the engine; if it ends,
  /// another does within some seconds.
  ///
  /// Assets are sent before the documents that name them, and fetched before these are written. The engine keeps one
  /// until no document has named it for a day or more.
  ///
  /// A document that was changed here and elsewhere is merged; if the changes exclude each other, `onConflict` decides.
  /// A document that was removed here and changed elsewhere, or the other way around, is kept. One that was removed
  /// elsewhere is in the trash.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - pathExtension: The path extension of the documents' files, without the dot.
  ///   - defaultDocument: Has the values of keys that a file does not contain and without which the type
  ///     cannot be decoded.
  ///   - configuration: The options.
  ///   - fileSystem: The file system of the directory.
  ///   - engine: The namespace that the machines share, for documents of this kind alone.
  ///   - onConflict: Decides about changes that exclude each other: `ours` were made here, `theirs` elsewhere. By
  ///     default both are kept, ours as a copy. It is called on a thread that must not wait for the store.
  ///   - onProblem: Receives each error that no call throws.
  /// - Throws: `DocumentError` if the directory cannot be created or written, or the path extension is invalid. Whether
  ///   the engine answers does not matter.
  public convenience init(
    directory: FilePath, pathExtension: String, defaultDocument: Document? = nil,
    configuration: DocumentConfiguration = .init(),
    fileSystem: some FileSystem = LocalFileSystem(), sync engine: some SyncEngine,
    onConflict: @escaping @Sendable (DocumentConflict) -> DocumentConflict.Resolution = { _ in
      .keepBoth
    },
    onProblem: (@Sendable (DocumentError) -> Void)? = nil
  ) throws(DocumentError) {
    try self.init(
      directory: directory, pathExtension: pathExtension, defaultDocument: defaultDocument,
      configuration: configuration, fileSystem: fileSystem, onProblem: onProblem)
    try share(through: engine, onConflict: onConflict, timing: SyncTiming())
  }

  package func share(
    through engine: some SyncEngine,
    onConflict: @escaping @Sendable (DocumentConflict) -> DocumentConflict.Resolution = { _ in
      .keepBoth
    }, timing: SyncTiming
  ) throws(DocumentError) {
    let documents = try sharedDocuments(onConflict: onConflict)
    do {
      let sync = try DocumentSync(documents, engine: engine, timing: timing)
      let old = sharing.withLock { old in
        defer { old = sync }
        return old
      }
      old?.end()
    } catch {
      throw DocumentError(sharing: error)
    }
  }

  /// Waits until the engine has all changes so far durably with their assets, also those that other processes and editors
  /// made.
  ///
  /// While the engine does not answer, this waits; cancel the task to give up, after which the changes are still sent
  /// later. Changes of live documents that are not saved are not sent.
  ///
  /// - Throws: ``SyncError`` if the engine does not take a change; `DocumentError` if a file cannot be read;
  ///   `CancellationError`.
  /// - Complexity: O(*n*) in the number of documents, whose files are examined but not read.
  public func synchronize(_ scope: SyncScope) async throws {
    try await connection.member.synchronize()
  }

  /// How far the documents agree with the engine: now, then after each change of that.
  ///
  /// A slow loop skips states but always receives the latest. Without an engine there are none.
  public var syncStatus: some AsyncSequence<SyncStatus, Never> & Sendable {
    SyncStatuses(member: try? connection.member)
  }

  private var connection: DocumentSync {
    get throws(SyncError) {
      if let sync = sharing.withLock({ $0 }) as? DocumentSync { return sync }
      throw .rejected("The documents were opened without an engine: `sync:` names one.")
    }
  }
}
