import KeepsakeCoding

extension DocumentStore {
  /// Ends a conflict that ``save(_:)-(Document)`` threw.
  ///
  /// - Returns: The document that was kept: of two, the one with the new identity.
  /// - Throws: ``DocumentError`` with another `conflict` where the file changed again since, and as
  ///   ``save(_:)-(Document)`` and ``load(_:)`` do.
  @discardableResult
  public func resolve(
    _ conflict: DocumentConflict, by resolution: DocumentConflict.Resolution
  ) throws(DocumentError) -> Document {
    let ours = try decode(conflict.ours, of: conflict)
    switch resolution {
    case .takeTheirs: return try load(ours.id)
    case .takeMine:
      try write([(ours, .found(conflict.found, base: conflict.baseText))])
      changed([ours.id])
      return ours
    case .merge:
      let merged = try decode(conflict.merged, of: conflict)
      try write(merged: conflict, as: merged)
      changed([ours.id])
      return merged
    case .keepBoth: return try keepCopy(of: ours, conflict.ours)
    }
  }

  /// Keeps a document once more, under another identity.
  ///
  /// - Parameter value: What the document is encoded as, with what its type does not know.
  func keepCopy(of document: Document, _ value: JSON.Value) throws(DocumentError) -> Document {
    for number in 2...10_000 {
      guard let id = document.id.another(number), id != document.id else { break }
      let name = directory.name(of: id)
      if try directory.information(at: directory.file(name)) != nil { continue }
      guard let copy = coding.copy(value, of: document, as: id) else { break }
      // With what its type does not know of it.
      let text = try text(of: copy.value, copy.document)
      guard try directory.write([DocumentWriting(name: name, text: text, found: nil)]) else {
        continue
      }
      noteChange(of: [copy.document.id])
      return copy.document
    }
    throw DocumentError(
      .unencodable, "'\(document.id.documentName)' can get no other identity",
      kept: "nothing was changed")
  }

  /// Writes both changes of a conflict, where the file is still as it was when it was found.
  func write(merged conflict: DocumentConflict, as document: Document) throws(DocumentError) {
    let name = directory.name(of: document.id)
    let text = try text(of: conflict.merged, document)
    if try directory.content(of: name) == conflict.found {
      let writing = DocumentWriting(name: name, text: text, found: conflict.found)
      if try directory.write([writing]) { return }
    }
    // Somebody changed it again, and whoever decided is to do so again. What was merged was made of
    // what they had written before.
    try write([(document, .found(conflict.found, base: conflict.found))])
  }

  private func text(of value: JSON.Value, _ document: Document) throws(DocumentError) -> [UInt8] {
    do {
      return try coding.text(of: value)
    } catch {
      throw unencodable(document, error)
    }
  }

  func decode(_ value: JSON.Value, of conflict: DocumentConflict) throws(DocumentError) -> Document
  {
    do {
      return try coding.decode(coding.text(of: value), as: Document.self)
    } catch {
      throw DocumentError(
        .unreadable, "a version of the document cannot be decoded", file: conflict.file,
        kept: "nothing was changed", cause: error)
    }
  }
}
