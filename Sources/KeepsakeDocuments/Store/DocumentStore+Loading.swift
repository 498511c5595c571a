import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// The identities of all documents, in the order of their files' names; no file is opened.
  ///
  /// - Throws: ``DocumentError`` if the directory cannot be listed.
  /// - Complexity: O(*n* log *n*) in the files of the directory.
  public func ids() throws(DocumentError) -> [ID] {
    try directory.names { directory.id(of: $0, as: ID.self) }
  }

  /// The attributes of all documents' files, in the order of their names; no file is opened.
  ///
  /// - Throws: ``DocumentError`` if the directory cannot be listed.
  /// - Complexity: O(*n* log *n*) in the files of the directory.
  public func entries() throws(DocumentError) -> [DocumentEntry<ID>] {
    var entries: [DocumentEntry<ID>] = []
    for name in try directory.names() {
      guard let id = directory.id(of: name, as: ID.self),
        let found = try directory.information(at: directory.file(name))
      else { continue }
      entries.append(DocumentEntry(id: id, size: Int(found.size), modified: found.modified))
    }
    return entries
  }

  /// Loads a document.
  ///
  /// A file that is JSON, but cannot be decoded, stays where it is, because an older or newer version of
  /// the app may decode it. One that is not JSON is moved to the directory `Quarantine`, with the reason
  /// in a file beside it; if it was just written, the call first waits for up to half a second.
  ///
  /// - Throws: ``DocumentError`` with `notFound`, `unreadable`, `newerVersion`, `wrongIdentity`, or
  ///   `unavailable` if the file cannot be read.
  /// - Complexity: O(*n*) in the length of the file.
  public func load(_ id: ID) throws(DocumentError) -> Document {
    try read(directory.name(of: id)).document
  }

  /// Reads the document of a file, and remembers its content.
  func read(_ name: String) throws(DocumentError) -> (document: Document, content: [UInt8]) {
    let count = directory.writeCount
    var content: [UInt8]?
    let document = try read(name, coding, &content)
    directory.remember([(name, KnownContents.Content(content ?? []))], readAfter: count)
    return (document, content ?? [])
  }

  /// Reads the document of a file without remembering its content.
  ///
  /// - Parameter content: The content, if it was read already; afterwards always.
  func read(
    _ name: String, _ coding: DocumentCoding, _ content: inout [UInt8]?
  ) throws(DocumentError) -> Document {
    while true {
      if content == nil { content = try directory.content(of: name) }
      guard let found = content else {
        throw DocumentError(
          .notFound, "there is no such document", file: directory.file(name),
          kept: directory.isQuarantined(name)
            ? "a damaged file of it is in the quarantine, and 'recover' brings back what can be read"
            : nil)
      }
      do throws(DocumentError) {
        return try decode(found, from: name, coding)
      } catch {
        guard error.code == .unreadable else { throw error }
        if isJSON(found) {
          var error = error
          error.kept = "it was left unchanged, because another version of the app may read it"
          throw error
        }
        if let error = try moveToQuarantine(name, found, because: error) { throw error }
        content = nil
      }
    }
  }

  /// Decodes the document in a file's content.
  func decode(
    _ content: [UInt8], from name: String, _ coding: DocumentCoding? = nil
  ) throws(DocumentError) -> Document {
    let document: Document
    do {
      document = try (coding ?? self.coding).decode(content, as: Document.self)
    } catch let newer as NewerVersion {
      var error = DocumentError(unreadable: content, at: directory.file(name), cause: newer.cause)
      error.code = .newerVersion
      error.message = "the file is of the newer version \(newer.version): " + error.message
      throw error
    } catch {
      var failure = DocumentError(unreadable: content, at: directory.file(name), cause: error)
      // Another encryption key may open it.
      if (error as? DecodingError)?.obstacle != nil {
        failure.code = .unavailable
        failure.kept = "it was left unchanged"
      }
      throw failure
    }
    guard directory.isName(name, of: document.id) else {
      var error = DocumentError(
        .wrongIdentity, "the file holds a document with the id '\(document.id.documentName)'",
        file: directory.file(name), kept: "it was left unchanged")
      // If the type has another key for its identity, this is the start of the document.
      let location = TextLocation.find([IdentityKey.id], in: content)
      (error.line, error.column) = (location?.line, location?.column)
      throw error
    }
    return document
  }

  /// Whether a text that cannot be decoded is JSON.
  func isJSON(_ text: [UInt8]) -> Bool { (try? JSON.Value(parsing: text)) != nil }

  /// Moves a file that is not JSON to the quarantine, unless another program may still be writing it.
  ///
  /// - Returns: The error with the file's new path, or `nil` if it must be read again.
  func moveToQuarantine(
    _ name: String, _ content: [UInt8], because error: DocumentError
  ) throws(DocumentError) -> DocumentError? {
    if try waitIfBeingWritten(name) { return nil }
    var result = error
    do throws(DocumentError) {
      guard let aside = try directory.moveToQuarantine(name, content, because: error) else {
        return nil
      }
      result.kept = "it was moved to \(aside)"
    } catch {
      result.kept = "it was left unchanged, because it could not be moved (\(error))"
    }
    return result
  }

  /// Whether a file was changed so recently that another program may still be writing it.
  func isBeingWritten(_ name: String) throws(DocumentError) -> Bool {
    guard let found = try directory.information(at: directory.file(name)) else { return true }
    return (0..<500_000_000).contains(DocumentDirectory.now - found.modified)
  }

  /// Waits a moment if another program may still be writing a file, which must be read again then.
  ///
  /// - Returns: Whether it has waited.
  func waitIfBeingWritten(_ name: String) throws(DocumentError) -> Bool {
    let isBeingWritten = try isBeingWritten(name)
    if isBeingWritten { usleep(20_000) }
    return isBeingWritten
  }
}

private enum IdentityKey: CodingKey {
  case id
}
