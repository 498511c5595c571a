import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// The identities of all documents, in the order of their files' names; no file is opened.
  ///
  /// - Throws: ``DocumentError`` where the directory cannot be listed.
  /// - Complexity: O(*n* log *n*) in the files of the directory.
  public func ids() throws(DocumentError) -> [ID] {
    try directory.names { directory.id(of: $0, as: ID.self) }
  }

  /// All documents as far as the directory tells of them, in the order of their files' names; no file is
  /// opened.
  ///
  /// - Throws: ``DocumentError`` where the directory cannot be listed.
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
  /// A file that is JSON, but not a document that this version of the app can decode, stays where it is,
  /// for an older or newer version may. One that is not JSON is moved to the directory `Quarantine`,
  /// beside a line of why; one that was written a moment ago is waited for first, for up to half a
  /// second.
  ///
  /// - Throws: ``DocumentError`` with `notFound`, `unreadable`, `newerVersion`, `wrongIdentity`, or
  ///   `unavailable` where nothing can be said of the file.
  /// - Complexity: O(*n*) in the length of the file.
  public func load(_ id: ID) throws(DocumentError) -> Document {
    try read(directory.name(of: id)).document
  }

  /// Reads the document of a file, and remembers what it held.
  func read(_ name: String) throws(DocumentError) -> (document: Document, content: [UInt8]) {
    let count = directory.writeCount
    var content: [UInt8]?
    let document = try read(name, coding, &content)
    directory.remember([(name, KnownContents.Content(content ?? []))], readAfter: count)
    return (document, content ?? [])
  }

  /// Reads the document of a file, and remembers nothing.
  ///
  /// - Parameter content: What the file holds, if it was read already; afterwards in any case.
  func read(
    _ name: String, _ coding: DocumentCoding, _ content: inout [UInt8]?
  ) throws(DocumentError) -> Document {
    while true {
      if content == nil { content = try directory.content(of: name) }
      guard let found = content else {
        throw DocumentError(.notFound, "there is no such document", file: directory.file(name))
      }
      do throws(DocumentError) {
        return try decode(found, from: name, coding)
      } catch {
        guard error.code == .unreadable else { throw error }
        if isJSON(found) {
          var error = error
          error.kept = "it was left unchanged, for another version of the app may read it"
          throw error
        }
        if let error = try setAside(name, found, because: error) { throw error }
        content = nil
      }
    }
  }

  /// The document in a text that is a file's content.
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
      // A file that another key opens is not to be set aside.
      if (error as? DecodingError)?.obstacle != nil {
        failure.code = .unavailable
        failure.kept = "it was left as it is"
      }
      throw failure
    }
    guard directory.isName(name, of: document.id) else {
      var error = DocumentError(
        .wrongIdentity, "the file holds a document with the id '\(document.id.documentName)'",
        file: directory.file(name), kept: "it was left as it is")
      // Where a type calls its identity something else, that is where the document begins.
      let location = TextLocation.find([IdentityKey.id], in: content)
      (error.line, error.column) = (location?.line, location?.column)
      throw error
    }
    return document
  }

  /// Whether a text that holds no document is JSON all the same.
  func isJSON(_ text: [UInt8]) -> Bool { (try? JSON.Value(parsing: text)) != nil }

  /// Moves a file that holds no document to the quarantine, unless somebody may be about to write the
  /// rest of it.
  ///
  /// - Returns: The error with where the file is now, or `nil` where it is to be read again.
  func setAside(
    _ name: String, _ content: [UInt8], because error: DocumentError
  ) throws(DocumentError) -> DocumentError? {
    if try isBeingWritten(name) {
      usleep(20_000)
      return nil
    }
    var result = error
    do throws(DocumentError) {
      guard let aside = try directory.setAside(name, content, because: error) else { return nil }
      result.kept = "it was moved to \(aside)"
    } catch {
      result.kept = "it was left as it is, for it could not be moved (\(error))"
    }
    return result
  }

  /// Whether a file was changed so lately that somebody may be about to write the rest of it.
  func isBeingWritten(_ name: String) throws(DocumentError) -> Bool {
    guard let found = try directory.information(at: directory.file(name)) else { return true }
    return (0..<500_000_000).contains(DocumentDirectory.now - found.modified)
  }
}

private enum IdentityKey: CodingKey {
  case id
}
