import Dispatch
import KeepsakeBase
public import KeepsakeFiles
import Logging
public import SystemPackage

/// The documents of one kind in a directory: each a JSON file `<id>.<extension>`, with its assets beside
/// it.
///
/// ```swift
/// let cards = try DocumentStore<Card>(directory: container.documents, pathExtension: "rwcard")
/// for await card in cards.loadAll() { … }
/// ```
///
/// A save is atomic, and survives a power cut once it has returned. Keys of a file that the document's
/// type does not know are kept. A file that is not JSON is quarantined, and one that this version of the
/// app cannot decode stays where it is; neither is overwritten, nor is one that another program changed
/// since it was loaded. Any number of threads and processes, and stores with other path extensions, can
/// use the directory.
///
/// The calls block their thread while they access the disk. The code by which a document encodes and
/// decodes itself must not use the store.
public final class DocumentStore<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  /// The identity of a document.
  public typealias ID = Document.ID

  let directory: DocumentDirectory
  let coding: DocumentCoding
  let configuration: DocumentConfiguration
  let coordinator = SaveCoordinator<Document>()
  let watching = Mutex(Watching<ID>())
  /// Held while the directory is examined, so that no older result replaces a newer one.
  let looking = Mutex(())
  /// The store's own queue, for autosaves and external changes.
  let queue = DispatchQueue(label: "keepsake.documents")
  /// What keeps the documents in agreement with those of other machines.
  package let sharing = Mutex<(any DocumentSharing)?>(nil)

  /// Opens the documents of a directory, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - pathExtension: The path extension of the documents' files, without the dot.
  ///   - defaultDocument: Has the values of keys that a file does not contain and without which the type
  ///     cannot be decoded, such as those of properties that an older version of the app did not have; by default
  ///     such a file is an error. A key is taken at any depth of objects, but not in the elements of
  ///     arrays, and the file keeps what it has until the document is changed and saved.
  ///   - configuration: The options.
  ///   - fileSystem: The file system of the directory.
  ///   - onProblem: Receives each error that no call throws, such as that of an autosave, soon after it:
  ///     one at a time, on a thread that may use the store. By default the error is logged.
  /// - Throws: ``DocumentError`` if the directory cannot be created, or the path extension is invalid.
  public init(
    directory: FilePath, pathExtension: String, defaultDocument: Document? = nil,
    configuration: DocumentConfiguration = .init(),
    fileSystem: some FileSystem = LocalFileSystem(),
    onProblem: (@Sendable (DocumentError) -> Void)? = nil
  ) throws(DocumentError) {
    let reporter = ProblemReporter(
      onProblem ?? { problem in Logger(label: "keepsake.documents").warning("\(problem)") })
    self.directory = try DocumentDirectory(
      path: directory, pathExtension: pathExtension, fileSystem: fileSystem,
      configuration: configuration, report: { reporter.report($0) })
    self.configuration = configuration
    coding = DocumentCoding(configuration, defaultDocument: defaultDocument)
  }

  /// Opens the documents of another store, which is then to this one as another process is.
  init(sameAs other: DocumentStore) throws(DocumentError) {
    directory = try DocumentDirectory(
      path: other.directory.path, pathExtension: other.directory.pathExtension,
      fileSystem: other.directory.fileSystem, configuration: other.configuration,
      report: other.directory.report)
    configuration = other.configuration
    coding = other.coding.separate
  }

  deinit { sharing.withLock { $0 }?.end() }
}
