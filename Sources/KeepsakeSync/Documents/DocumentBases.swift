import KeepsakeDocuments
import KeepsakeFiles
import SystemPackage

/// Copies of documents as they were when they were last the same here and on other machines, to merge with; and the
/// parts of assets that have come so far.
///
/// The time of a copy says when the document was last known to be whole. They are never flushed, and one that is not
/// whole is recognized by its digest: without a base, which may also be a past version of the document, changes that
/// were made here and there are both kept.
struct DocumentBases {
  private let fileSystem: any FileSystem
  private let directory: FilePath

  init(of documents: any SharedDocuments) throws(FileError) {
    fileSystem = documents.fileSystem
    directory = documents.sharingDirectory.appending(documents.pathExtension)
    try createDirectory()
  }

  /// Creates the directory, and the one that it is in, if another one was put in the documents' place.
  ///
  /// - Throws: Errors of the disk; also if the documents' directory is missing, since what is there once its disk is
  ///   back is not to be hidden.
  func createDirectory() throws(FileError) {
    let documents = directory.removingLastComponent().removingLastComponent()
    guard try fileSystem.information(at: documents) != nil else {
      throw FileError(.open, documents, .noSuchFileOrDirectory)
    }
    try fileSystem.createDirectories(directory)
  }

  /// What has come of an asset, whose name no document has.
  func partial(of asset: String) -> PartialAsset {
    PartialAsset(fileSystem: fileSystem, path: directory.appending(asset))
  }

  /// Removes the parts of assets of which nothing has come since a time, in nanoseconds since 1970.
  ///
  /// - Parameter isDocument: Whether a document's file can have a name.
  func removePartials(unchangedSince time: Int64, isDocument: (String) -> Bool) throws(FileError) {
    for name in try fileSystem.contents(ofDirectory: directory) where !isDocument(name) {
      let path = directory.appending(name)
      guard let found = try fileSystem.information(at: path) else { continue }
      if found.modified < time { try fileSystem.remove(path) }
    }
  }

  /// The base of a document with a digest, if it is there.
  func base(of name: String, _ digest: String?) -> [UInt8]? {
    guard let digest, let bytes = try? fileSystem.readFile(at: directory.appending(name)) else {
      return nil
    }
    return bytes.digest == digest ? bytes : nil
  }

  /// When the copy of a document's base was made, in nanoseconds since 1970; nil if there is none.
  func time(of name: String) throws(FileError) -> Int64? {
    try fileSystem.information(at: directory.appending(name))?.modified
  }

  /// Keeps the base of a document that was not changed since, unless it is there.
  ///
  /// Its length says whether it is: what is torn and as long is found when it is used.
  /// - Parameter time: When the document's file was written, in nanoseconds since 1970: an older copy is made again.
  /// - Returns: Whether it is there.
  func restore(_ text: [UInt8], as name: String, writtenAt time: Int64) -> Bool {
    if let found = try? fileSystem.information(at: directory.appending(name)),
      found.size == Int64(text.count), found.modified >= time
    {
      return true
    }
    return keep(text, as: name)
  }

  /// Keeps the base of a document; nil if there is none any more.
  ///
  /// - Returns: Whether that is done.
  @discardableResult
  func keep(_ text: [UInt8]?, as name: String) -> Bool {
    let path = directory.appending(name)
    try? fileSystem.remove(path)
    guard let text else { return true }
    do throws(FileError) {
      try fileSystem.open(path, .createNew(permissions: .ownerReadWrite)).writeAll(text)
      return true
    } catch {
      return false
    }
  }
}
