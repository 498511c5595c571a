package import KeepsakeFiles
package import SystemPackage

/// The files of a directory's documents of one kind, for what keeps them in agreement with other machines.
///
/// Its calls block their thread while they access the disk. Whoever has the documents open learns of what is written
/// here as of what other processes write.
package protocol SharedDocuments: AnyObject, Sendable {
  var fileSystem: any FileSystem { get }
  /// Where is kept what is known of the other machines.
  var sharingDirectory: FilePath { get }
  var pathExtension: String { get }

  /// Whether a document's file can have a name.
  func isName(_ name: String) -> Bool

  /// The names of all documents' files, and what shows whether a file was changed.
  ///
  /// - Complexity: O(*n*).
  func stamps() throws(DocumentError) -> [String: FileStamp]

  /// What shows whether a file was changed; `nil` if there is none.
  func stamp(of name: String) throws(DocumentError) -> FileStamp?

  /// The content of a file; `nil` if there is none.
  func content(of name: String) throws(DocumentError) -> [UInt8]?

  /// What a file had before, with a digest, if the past version was kept.
  func pastVersion(of name: String, digest: String) -> [UInt8]?

  /// Whether a file is missing, but nobody removed the document: it was quarantined.
  ///
  /// - Parameter time: When it was last known to be whole, in nanoseconds since 1970; nil if that is not known.
  func isLost(_ name: String, wholeAt time: Int64?) throws(DocumentError) -> Bool

  /// Replaces files; what they had becomes a past version. They survive a power cut once this has returned.
  ///
  /// - Parameter condition: What else must be so, in ``withoutWriters(_:)``.
  /// - Returns: What shows whether each was changed since; nil, with nothing written, if one is no longer as it was
  ///   found, or the condition is not met.
  func write(
    _ files: [SharedDocument], if condition: () -> Bool
  ) throws(DocumentError) -> [FileStamp]?

  /// Moves a file into the trash, unless it has another content.
  ///
  /// - Parameter condition: What else must be so, in ``withoutWriters(_:)``.
  /// - Returns: False if it has another one, or the condition is not met.
  func remove(
    _ name: String, ifStill content: [UInt8], if condition: () -> Bool
  ) throws(DocumentError) -> Bool

  /// Runs a body while no process writes or removes documents.
  func withoutWriters(_ body: () -> Void) throws(DocumentError)

  /// Makes sure that a power cut takes back nothing of what some files have.
  func makeDurable(_ names: [String]) throws(DocumentError)

  /// Finds how it ends that a document was changed here and elsewhere: merges the changes, or asks which one counts.
  func reconcile(
    _ name: String, base: [UInt8]?, ours: [UInt8], theirs: [UInt8]
  ) throws(DocumentError) -> Reconciliation

  /// Ends that a document was changed here and elsewhere.
  ///
  /// - Parameter condition: What else must be so, in ``withoutWriters(_:)``.
  /// - Returns: What was done; nil if the file is no longer as it was found, or the condition is not met.
  func settle(
    _ name: String, _ ours: [UInt8], theirs: [UInt8], _ reconciliation: Reconciliation,
    if condition: () -> Bool
  ) throws(DocumentError) -> Settlement?

  /// The names of the assets of this app's types that a text names; or, of any type, those that may be assets.
  func assets(in text: [UInt8], ofAnyType: Bool) -> Set<String>

  /// How many bytes an asset may have.
  var assetLimit: Int { get }

  /// Whether a content is of the type that an asset's name says, if this app has that type.
  func isContent(_ content: [UInt8], ofAsset name: String) -> Bool

  /// Whether there is an asset.
  func hasAsset(_ name: String) throws(DocumentError) -> Bool

  /// Whether another program may still be writing an asset: one that this app has not added was changed in the last two
  /// seconds.
  func isBeingWritten(asset name: String) throws(DocumentError) -> Bool

  /// The content of an asset; `nil` if there is none.
  func asset(_ name: String) throws(DocumentError) -> [UInt8]?

  /// Writes an asset, which survives a power cut once this has returned.
  func write(_ content: [UInt8], asAsset name: String) throws(DocumentError)

  /// Calls a closure with the names of files that are changed, by any process, until the task is canceled.
  func followChanges(_ body: (String) async -> Void) async

  /// Reports what no caller is there for.
  func report(_ problem: DocumentError)
}

/// A document's file that is to be replaced.
package struct SharedDocument: Sendable {
  package let name: String
  /// What it has now; `nil` if there is none.
  package let found: [UInt8]?
  package let text: [UInt8]

  package init(name: String, found: [UInt8]?, text: [UInt8]) {
    self.name = name
    self.found = found
    self.text = text
  }
}
