import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// The files that were quarantined because they are not JSON, in the order of their names.
  ///
  /// - Throws: ``DocumentError`` if they cannot be listed.
  public func quarantined() throws(DocumentError) -> [QuarantinedFile] {
    do throws(FileError) {
      let names = try directory.contentsIfThere(of: directory.quarantine)
      var files: [QuarantinedFile] = []
      for name in names {
        guard let original = try directory.originalName(ofQuarantined: name),
          original.hasSuffix("." + directory.pathExtension)
        else { continue }
        let file = directory.quarantine.appending(name)
        let reason = try directory.fileSystem.readFile(
          at: directory.quarantine.appending(name + ".txt"))
        files.append(
          QuarantinedFile(
            file: file, name: original,
            reason: String(decoding: reason ?? [], as: UTF8.self)
              .split(whereSeparator: \.isNewline).first.map(String.init) ?? ""))
      }
      return files
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  /// Restores the document of a quarantined file: from the file itself, if it can be decoded now, or
  /// from the newest past version that can.
  ///
  /// The file stays in the quarantine unless it was restored itself.
  ///
  /// - Throws: ``DocumentError`` with `exists` if a document of the name exists, with `notFound` if
  ///   neither the file nor a version can be decoded.
  @discardableResult
  public func recover(_ file: QuarantinedFile) throws(DocumentError) -> Document {
    guard let id = directory.id(of: file.name, as: ID.self) else {
      throw DocumentError(
        .wrongIdentity, "'\(file.name)' is not the name of a document", file: file.file)
    }
    try requireNone(file.name)
    let content: [UInt8]?
    do throws(FileError) {
      try directory.requireNoLink(at: directory.quarantine)
      content = try directory.fileSystem.readFile(at: file.file)
    } catch {
      throw DocumentError(unavailable: error)
    }
    if let content, let document = try? decode(content, from: file.name) {
      try write(content, toNew: file.name)
      try? directory.fileSystem.remove(file.file)
      try? directory.fileSystem.remove(FilePath(file.file.string + ".txt"))
      changed([id])
      return document
    }
    return try recover(id)
  }

  /// Restores a document from the newest of its past versions that can be decoded.
  ///
  /// A file that exists, but cannot be decoded by this version of the app, is quarantined then.
  ///
  /// - Throws: ``DocumentError`` with `exists` if the document exists and can be decoded, with
  ///   `notFound` if no version can be.
  @discardableResult
  public func recover(_ id: ID) throws(DocumentError) -> Document {
    let name = directory.name(of: id)
    if let found = try directory.content(of: name), try damage(of: found, name) == nil {
      throw exists(name)
    }
    for (_, content) in try contents(ofVersionsOf: id) {
      guard let document = try? decode(content, from: name) else { continue }
      try replace(name, with: content, onlyIfDamaged: true)
      changed([id])
      return document
    }
    throw DocumentError(
      .notFound, "there is no past version of '\(id.documentName)' that can be read",
      file: directory.file(name))
  }

  /// Writes a text unchanged if there is no file; another program may create one at any time.
  private func write(_ text: [UInt8], toNew name: String) throws(DocumentError) {
    while true {
      try requireNone(name)
      if try directory.write([DocumentWriting(name: name, text: text, found: nil)]) != nil {
        return
      }
    }
  }

  private func requireNone(_ name: String) throws(DocumentError) {
    if try directory.information(at: directory.file(name)) != nil { throw exists(name) }
  }

  private func exists(_ name: String) -> DocumentError {
    DocumentError(
      .exists, "there is a document of that identity already", file: directory.file(name))
  }

  /// Writes a text unchanged, in place of a document or of none; a file that cannot be decoded is quarantined.
  ///
  /// - Parameter onlyIfDamaged: Whether a document that can be decoded is left.
  func replace(
    _ name: String, with text: [UInt8], onlyIfDamaged: Bool = false
  ) throws(DocumentError) {
    while true {
      let found = try directory.content(of: name)
      var writing = DocumentWriting(name: name, text: text, found: found)
      if let found {
        writing.damage = try damage(of: found, name)
        if writing.damage != nil {
          if !isJSON(found), try waitIfBeingWritten(name) { continue }
        } else if onlyIfDamaged {
          throw exists(name)
        } else if found == text, try directory.makeDurable(name, text) {
          return
        }
      }
      if try directory.write([writing]) != nil { return }
    }
  }

  /// Why the content of a file cannot be decoded; `nil` if it can be.
  ///
  /// - Throws: ``DocumentError`` if it is nevertheless not damaged, as one of a newer version.
  private func damage(
    of content: [UInt8], _ name: String
  ) throws(DocumentError) -> DocumentError? {
    do throws(DocumentError) {
      _ = try decode(content, from: name)
      return nil
    } catch {
      guard error.code == .unreadable else { throw error }
      return error
    }
  }
}
