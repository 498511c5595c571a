import KeepsakeCoding

extension DocumentStore {
  /// Ends a conflict that ``save(_:)-(Document)`` threw.
  ///
  /// - Returns: The document that was kept; of two, the one with the new identity.
  /// - Throws: ``DocumentError`` with another `conflict` if the file changed again, and as
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

  /// Saves a copy of a document under another identity.
  ///
  /// - Parameter value: The encoded document, with its unknown keys.
  func keepCopy(of document: Document, _ value: JSON.Value) throws(DocumentError) -> Document {
    for number in 2...10_000 {
      guard let id = document.id.another(number), id != document.id else { break }
      let name = directory.name(of: id)
      if name.utf8.count > DocumentDirectory.nameLimit { break }
      if try directory.information(at: directory.file(name)) != nil { continue }
      guard let copy = coding.copy(value, of: document, as: id) else { break }
      let text = try text(of: copy.value, copy.document)
      guard try directory.write([DocumentWriting(name: name, text: text, found: nil)]) != nil else {
        continue
      }
      noteChange(of: [copy.document.id])
      return copy.document
    }
    throw DocumentError(
      .unencodable, "'\(document.id.documentName)' can get no other identity",
      kept: "nothing was changed")
  }

  /// Writes the merged changes of a conflict, if the file has not changed since it was found.
  func write(merged conflict: DocumentConflict, as document: Document) throws(DocumentError) {
    let name = directory.name(of: document.id)
    let text = try text(of: conflict.merged, document)
    if try directory.content(of: name) == conflict.found {
      let writing = DocumentWriting(name: name, text: text, found: conflict.found)
      if try directory.write([writing]) != nil { return }
    }
    // The file changed again, so that the caller must decide again. What was merged was made from
    // what the file contained before.
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
      // Another encryption key may open it.
      let isUnavailable = (error as? DecodingError)?.obstacle != nil
      throw DocumentError(
        isUnavailable ? .unavailable : .unreadable, "a version of the document cannot be decoded",
        file: conflict.file, kept: "nothing was changed", cause: error)
    }
  }
}
