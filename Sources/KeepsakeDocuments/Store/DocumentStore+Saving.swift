import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// What a save expects the file to be.
  enum Expectation: Sendable {
    /// No file.
    case nothing
    /// The content that was last loaded or saved; no file if none was.
    case lastSeen
    /// A content.
    case content(KnownContents.Content?)
    /// Exactly these bytes, for a document that was made from the base.
    case found([UInt8]?, base: [UInt8]?)
    /// Exactly these bytes, also if the document has the file's content: somebody else made it, too.
    case unchanged([UInt8])
  }

  /// Creates a document; it survives a power cut once the call has returned.
  ///
  /// - Throws: ``DocumentError`` with `exists` if a document of its identity exists, with `unencodable` or
  ///   `notWritten` if it was not created.
  /// - Complexity: O(*n*) in the length of the text.
  public func create(_ document: Document) throws(DocumentError) {
    try write([(document, .nothing)])
    changed([document.id])
  }

  /// Saves a document atomically; it survives a power cut once the call has returned.
  ///
  /// If the file has the same content, nothing is written; if there is no file, it is created. Keys of the
  /// file that the type does not know are kept.
  ///
  /// - Throws: ``DocumentError`` with `conflict` if the file is not as this store last loaded or saved it;
  ///   with `unencodable`, `unavailable` or `notWritten` if it was not saved; with `notDurable` if a power
  ///   cut may bring the old content back.
  /// - Complexity: O(*n*) in the length of the text.
  public func save(_ document: Document) throws(DocumentError) {
    try write([(document, .lastSeen)])
    changed([document.id])
  }

  /// Changes a document atomically: no other thread or process changes it between the load and the save.
  ///
  /// ```swift
  /// try cards.edit(id) { $0.title = "Winter" }
  /// ```
  ///
  /// It survives a power cut once the call has returned. ``load(_:)`` and ``save(_:)-(Document)`` instead
  /// can lose a change: of two threads that load the same document and save it, the last one wins.
  ///
  /// - Parameters:
  ///   - id: The document's identity.
  ///   - body: Changes the document, but not its identity. It runs again with the new content if another
  ///     thread or process saved the document meanwhile, so it should have no other side effects; if it
  ///     throws, nothing is changed.
  /// - Returns: What the body returned.
  /// - Throws: Errors of the body; ``DocumentError`` as ``load(_:)`` and ``save(_:)-(Document)`` do, with
  ///   `conflict` if others saved the document during each of 100 attempts.
  /// - Complexity: O(*n*) in the length of the file.
  @discardableResult
  public func edit<Result>(_ id: ID, _ body: (inout Document) throws -> Result) throws -> Result {
    let name = directory.name(of: id)
    var attempts = 100
    while true {
      var (document, content) = try read(name)
      let result = try body(&document)
      guard directory.isName(name, of: document.id) else {
        throw DocumentError(
          .wrongIdentity, "an edit changed the document's identity", file: directory.file(name),
          kept: "nothing was changed")
      }
      do throws(DocumentError) {
        try write([(document, .unchanged(content))])
        changed([id])
        return result
      } catch {
        attempts -= 1
        guard error.code == .conflict, attempts > 0 else { throw error }
      }
    }
  }

  /// Saves documents with the flushes of one; all survive a power cut once the call has returned.
  ///
  /// If one of them cannot be saved, none is, unless the disk fails meanwhile: then each is old or new.
  /// Of several values of one document only the last is saved.
  ///
  /// - Throws: ``DocumentError`` as ``save(_:)-(Document)`` does, for the first that cannot be saved.
  /// - Complexity: O(*n*) in the length of the texts.
  public func save(_ documents: [Document]) throws(DocumentError) {
    var ids: Set<String> = []
    let last = documents.reversed().filter { ids.insert(directory.name(of: $0.id)).inserted }
    try write(last.reversed().map { ($0, .lastSeen) })
    changed(documents.map(\.id))
  }

  /// Writes different documents, except those whose files have the same content.
  ///
  /// - Parameter willWrite: Receives what will be written, also if that fails afterwards.
  /// - Returns: The content of each file now.
  @discardableResult
  func write(
    _ documents: [(Document, Expectation)], keepingVersions: Bool = true,
    willWrite: ([[UInt8]]) -> Void = { _ in }
  ) throws(DocumentError) -> [[UInt8]] {
    var isAssuming = true
    while true {
      var texts: [[UInt8]] = []
      var writings: [DocumentWriting] = []
      for (document, expectation) in documents {
        let name = try writableName(of: document)
        let count = directory.writeCount
        let assumed = isAssuming ? assumedContent(of: name, expectation) : nil
        var found = if let assumed { assumed } else { try directory.content(of: name) }
        var writing = try prepare(document, name, over: found, readAfter: count, expectation)
        if assumed != nil, writing.text == assumed {
          // Only a file that was read need not be written.
          found = try directory.content(of: name)
          writing = try prepare(document, name, over: found, readAfter: count, expectation)
        }
        writing.isKeepingVersion = keepingVersions
        texts.append(writing.text)
        if writing.text == found, try directory.makeDurable(name, writing.text) { continue }
        writings.append(writing)
      }
      // Another process may have written it before the lock was acquired.
      if writings.isEmpty { return texts }
      willWrite(texts)
      if try directory.write(writings) != nil { return texts }
      isAssuming = false
    }
  }

  /// The name of a document's file, if a file can have it.
  private func writableName(of document: Document) throws(DocumentError) -> String {
    let name = directory.name(of: document.id)
    let length = name.utf8.count
    if length <= 255 { return name }
    throw DocumentError(
      .unencodable,
      "the id '\(document.id.documentName.prefix(40))…' needs a file name of \(length) bytes; "
        + "at most 255 are possible", kept: "nothing was changed")
  }

  /// The content of a document's file unless another process changed it, if the save expects that; it is
  /// compared once the lock is held.
  private func assumedContent(of name: String, _ expectation: Expectation) -> [UInt8]? {
    let known = directory.known.withLock { $0[name] }
    return switch expectation {
    case .lastSeen: known?.bytes
    case .content(let content): content?.digest == known?.digest ? known?.bytes : nil
    case .nothing, .found, .unchanged: nil
    }
  }

  /// Encodes a document, if its file is as expected.
  private func prepare(
    _ document: Document, _ name: String, over found: [UInt8]?, readAfter count: Int,
    _ expectation: Expectation
  ) throws(DocumentError) -> DocumentWriting {
    let known = directory.known.withLock { $0[name] }
    let digest = found.map { ContentDigest(of: $0) }
    let isWhollyKnown = digest != nil && known?.digest == digest && known?.isWhollyKnown == true
    let (text, isKnown) = try text(of: document, over: found, isWhollyKnown: isWhollyKnown)
    let writing = DocumentWriting(
      name: name, text: text, found: found, isWhollyKnown: isKnown)
    let base: [UInt8]?
    let isExpected: Bool
    switch expectation {
    case .nothing:
      guard found == nil else {
        throw DocumentError(
          .exists, "a document of that identity exists", file: directory.file(name))
      }
      return writing
    case .lastSeen:
      isExpected = known?.digest == digest
      base =
        isExpected
        ? nil
        : known.flatMap { $0.bytes ?? directory.pastContent(of: name, digest: $0.digest.text) }
    case .content(let content): (base, isExpected) = (content?.bytes, content?.digest == digest)
    case .found(let bytes, let older): (base, isExpected) = (older, bytes == found)
    case .unchanged(let bytes): (base, isExpected) = (bytes, bytes == found)
    }
    var acceptsEqual = true
    if case .unchanged = expectation { acceptsEqual = false }
    if isExpected || acceptsEqual && text == found {
      if let found, text == found {
        directory.remember([(name, KnownContents.Content(found))], readAfter: count)
      }
      return writing
    }
    if let conflict = try conflict(of: document, name, with: found, base: base) {
      throw DocumentError(conflict)
    }
    return writing
  }

  /// The conflict of a document with its file, or `nil` if only the layout of the file is different.
  func conflict(
    of document: Document, _ name: String, with found: [UInt8]?, base: [UInt8]?
  ) throws(DocumentError) -> DocumentConflict? {
    var theirs: JSON.Value?
    if let found {
      do throws(JSON.ParseError) {
        theirs = try JSON.Value(parsing: found)
      } catch {
        // A file that is not JSON is quarantined, as when it is loaded.
        let failure = DocumentError(
          unreadable: found, at: directory.file(name), cause: error)
        if let failure = try moveToQuarantine(name, found, because: failure) { throw failure }
        return try conflict(of: document, name, with: directory.content(of: name), base: base)
      }
    }
    let baseValue = base.flatMap { try? JSON.Value(parsing: $0) }
    if let baseValue, let theirs, theirs.isSame(as: baseValue) { return nil }
    let ours: JSON.Value
    do {
      ours = try JSON.Value(
        parsing: coding.text(of: document, over: base, isWhollyKnown: false).text)
    } catch {
      throw unencodable(document, error)
    }
    return DocumentConflict(
      file: directory.file(name), base: baseValue, ours: ours, theirs: theirs, found: found,
      baseText: base)
  }

  private func text(
    of document: Document, over found: [UInt8]?, isWhollyKnown: Bool
  ) throws(DocumentError) -> (text: [UInt8], isWhollyKnown: Bool) {
    do {
      return try coding.text(of: document, over: found, isWhollyKnown: isWhollyKnown)
    } catch {
      throw unencodable(document, error)
    }
  }

  func unencodable(_ document: Document, _ cause: any Error) -> DocumentError {
    DocumentError(
      .unencodable, "the document '\(document.id.documentName)' cannot be encoded",
      kept: "nothing was changed", cause: cause)
  }
}
