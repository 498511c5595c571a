public import KeepsakeDocuments
import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// Creates documents in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - documents: Documents that exist already.
  ///   - configuration: The options.
  ///   - disk: The disk in memory; the documents are in `/Documents` as `<id>.json`. It can fail calls,
  ///     and a second store on it sees the same documents.
  ///   - onProblem: Receives each error that no call throws.
  /// - Throws: `DocumentError` if the documents cannot be encoded, or the disk fails.
  public static func inMemory(
    _ documents: [Document] = [], configuration: DocumentConfiguration = .init(),
    disk: SimulatedDisk = SimulatedDisk(), onProblem: (@Sendable (DocumentError) -> Void)? = nil
  ) throws(DocumentError) -> DocumentStore {
    let store = try DocumentStore(
      directory: "/Documents", pathExtension: "json", configuration: configuration,
      fileSystem: disk, onProblem: onProblem)
    if !documents.isEmpty { try store.save(documents) }
    return store
  }
}
