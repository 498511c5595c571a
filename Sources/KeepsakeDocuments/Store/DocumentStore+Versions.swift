import KeepsakeFiles

extension DocumentStore {
  /// The past versions of a document, newest first, also of a removed one.
  ///
  /// Each content is there once, even if the document had it several times. What an autosave replaces is
  /// kept at most once a minute.
  ///
  /// - Throws: ``DocumentError`` if they cannot be listed.
  /// - Complexity: O(*n*) in their bytes.
  public func versions(of id: ID) throws(DocumentError) -> [DocumentVersion] {
    try contents(ofVersionsOf: id).compactMap { version, content in
      version.date.map { DocumentVersion(date: $0, size: content.count, file: version.path) }
    }
  }

  /// Replaces a document by a past version; what is replaced becomes a past version itself, or is
  /// quarantined if it cannot be decoded.
  ///
  /// Unsaved changes of the live document, if there is one, become a conflict.
  ///
  /// - Returns: The document as it was then.
  /// - Throws: ``DocumentError`` with `notFound` if the version no longer exists; with `unreadable` if it
  ///   cannot be decoded; with `newerVersion`, `wrongIdentity` or `unavailable` if the file that it would
  ///   replace must not be replaced; with `notWritten`, also if that file cannot be quarantined.
  @discardableResult
  public func restore(_ version: DocumentVersion, of id: ID) throws(DocumentError) -> Document {
    let all = try contents(ofVersionsOf: id)
    guard let content = all.first(where: { $0.version.path == version.file })?.content else {
      throw DocumentError(
        .notFound, "there is no such version of '\(id.documentName)'", file: version.file)
    }
    let document = try decode(content, from: directory.name(of: id))
    try replace(directory.name(of: id), with: content)
    changed([id])
    return document
  }

  /// The past contents of a document that are whole, newest first; one that cannot be read is reported.
  func contents(
    ofVersionsOf id: ID
  ) throws(DocumentError) -> [(version: DocumentDirectory.Version, content: [UInt8])] {
    do throws(FileError) {
      var contents: [(version: DocumentDirectory.Version, content: [UInt8])] = []
      for version in try directory.versions(of: directory.name(of: id)) {
        do throws(FileError) {
          if let content = try directory.content(of: version) {
            contents.append((version, content))
          }
        } catch {
          directory.report(DocumentError(unavailable: error))
        }
      }
      return contents
    } catch {
      throw DocumentError(unavailable: error)
    }
  }
}
