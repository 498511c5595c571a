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
    var unreadable: (content: [UInt8], error: DocumentError)?
    if let found = try directory.content(of: name) {
      do throws(DocumentError) {
        _ = try decode(found, from: name)
      } catch  where error.code == .unreadable {
        unreadable = (found, error)
      } catch {
        throw error
      }
      if unreadable == nil { try requireNone(name) }
    }
    for (_, content) in try contents(ofVersionsOf: id) {
      guard let document = try? decode(content, from: name) else { continue }
      if let (content, error) = unreadable {
        _ = try directory.moveToQuarantine(name, content, because: error)
      }
      try write(content, toNew: name)
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
    if try directory.information(at: directory.file(name)) == nil { return }
    throw DocumentError(
      .exists, "there is a document of that identity already", file: directory.file(name))
  }
}
