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
/// A save is whole or not made at all, and survives a power cut once it has returned. What a file has
/// beyond what the document's type knows stays in it. A file that is not JSON is quarantined, and one that
/// this version of the app cannot decode stays where it is; neither is written over, nor is one that
/// somebody else changed since it was loaded. Any number of
/// threads and processes, and stores of other extensions, can use the directory.
///
/// The calls block their thread while the disk is at work. The code by which a document encodes and
/// decodes itself must not use the store.
public final class DocumentStore<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  /// What names a document.
  public typealias ID = Document.ID

  let directory: DocumentDirectory
  let coding: DocumentCoding
  let configuration: DocumentConfiguration
  let coordinator = SaveCoordinator<Document>()
  let watching = Mutex(Watching<ID>())
  /// Held while the directory is looked at, so that no older view takes a newer one's place.
  let looking = Mutex(())
  /// The store's own thread, for autosaves and for looking what changed.
  let queue = DispatchQueue(label: "keepsake.documents")

  /// Opens the documents of a directory, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - pathExtension: What follows the dot in the names of the documents' files.
  ///   - defaultDocument: Has the values of keys that a file lacks and without which the type cannot be
  ///     decoded, such as those of properties that an older version of the app did not have; by default
  ///     such a file is an error. A key is taken at any depth of objects, but not in the elements of
  ///     arrays, and the file keeps what it has until the document is changed and saved.
  ///   - configuration: How the documents are kept.
  ///   - fileSystem: Where the directory is.
  ///   - onProblem: Told of every fault that no caller hears of, such as an autosave that failed, soon
  ///     after it: one after the other, on a thread that may use the store. By default the fault is
  ///     logged.
  /// - Throws: ``DocumentError`` where the directory cannot be made, or the extension is none.
  public init(
    directory: FilePath, pathExtension: String, defaultDocument: Document? = nil,
    configuration: DocumentConfiguration = .init(),
    in fileSystem: some FileSystem = LocalFileSystem(),
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
}
