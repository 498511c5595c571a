import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// Each removed document is a file in a directory of its own, `Trash/<id>/<id>.<extension>`, which tells
/// when it was removed. Its assets stay where they are: the file names them, so that they are not
/// collected.
extension DocumentDirectory {
  /// Moves a document's file to the trash; it is there after a power cut, too.
  ///
  /// - Parameters:
  ///   - expected: The content that the file must have, if that matters.
  ///   - condition: What else must be so, while nobody else writes documents.
  /// - Returns: The directory in the trash; nil if there is no such file, or the condition is not met.
  func moveToTrash(
    _ name: String, ifStill expected: [UInt8]? = nil, if condition: () -> Bool = { true }
  ) throws(DocumentError) -> FilePath? {
    try withLock { () throws(DocumentError) -> FilePath? in
      guard condition(), let content = try content(of: name),
        expected == nil || content == expected
      else { return nil }
      let refusals = refusals.load(ordering: .acquiring)
      do throws(FileError) {
        let directory = try makeTrashDirectory(for: name)
        try move(name, content, into: directory, refusals)
        known.withLock { known in
          // Another program may have restored the one that was there before.
          known.set(nil, for: Self.trashName(name, in: directory))
          known.move(name, to: Self.trashName(name, in: directory))
        }
        return directory
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// Removes a document's file, and not into the trash, if it still has a content that is elsewhere, too; a power cut may
  /// undo that.
  func discard(_ name: String, ifStill content: [UInt8]) throws(DocumentError) {
    try withLock { () throws(DocumentError) in
      guard try self.content(of: name) == content else { return }
      do throws(FileError) {
        try fileSystem.remove(file(name))
      } catch {
        throw DocumentError(notWritten: error)
      }
      known.withLock { $0.set(nil, for: name) }
    }
  }

  /// Moves a document's file into its directory in the trash, and makes that durable.
  private func move(
    _ name: String, _ content: [UInt8], into directory: FilePath, _ refusals: Int
  ) throws(FileError) {
    let removed = directory.appending(name)
    do throws(FileError) {
      try fileSystem.rename(file(name), to: removed)
      // After a power cut a file that was renamed has its old name, unless it has the new one.
      try synchronizeNames(changedAfter: refusals)
    } catch {
      known.withLock { known in
        known.update(name, ContentDigest(of: content)) { $0.durability = .refused }
      }
      // A program that does not acquire the lock may have created another.
      if isSurelyFree(file(name)) { try? fileSystem.rename(removed, to: file(name)) }
      // The directory stays, because a power cut may bring the document back into it.
      if isSurelyFree(removed) { throw error }
      throw error.leaving("the document is in '\(directory)', but a power cut may bring it back")
    }
  }

  private func isSurelyFree(_ path: FilePath) -> Bool {
    do throws(FileError) { return try fileSystem.information(at: path) == nil } catch {
      return false
    }
  }

  /// The name for a removed document's content in ``known``.
  private static func trashName(_ name: String, in directory: FilePath) -> String {
    "Trash/\(directory.lastComponent?.string ?? "")/\(name)"
  }

  /// Creates `Trash/<id>`, or `Trash/<id>-<number>` if that exists, and makes it durable.
  private func makeTrashDirectory(for name: String) throws(FileError) -> FilePath {
    try requireNoLink(at: trash)
    try fileSystem.createDirectories(trash)
    // The name of the file in it says which document it was.
    let first = trash.appending(
      Self.shortened(stem(of: name), to: Self.nameLimit - "-1000000000".utf8.count))
    var (directory, number) = (first, 2)
    // Stores of other kinds do the same with locks of their own, so that only creating it is sure.
    while try !create(directory) {
      directory = FilePath("\(first)-\(number)")
      // Thousands of the same id may be in the trash.
      number = number < 100 ? number + 1 : Int.random(in: 100..<1_000_000_000)
    }
    do throws(FileError) {
      try fileSystem.synchronizeDirectory(trash)
    } catch {
      try? fileSystem.remove(directory)
      throw error
    }
    return directory
  }

  /// Creates a directory, unless the name exists.
  private func create(_ directory: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      try fileSystem.createDirectory(directory)
      return true
    } catch {
      if error.code == .fileExists { return false }
      throw error
    }
  }

  // MARK: Restoring

  /// Moves a removed document's file back.
  func moveBack(_ name: String, from directory: FilePath) throws(DocumentError) {
    try withLock { () throws(DocumentError) in
      if try information(at: file(name)) != nil {
        throw DocumentError(
          .exists, "there is a document of that identity already", file: file(name))
      }
      let removed = directory.appending(name)
      do throws(FileError) {
        guard directory.removingLastComponent() == trash,
          try contentsIfThere(of: directory).contains(name)
        else { throw FileError(.rename, removed, .noSuchFileOrDirectory) }
        let refusals = refusals.load(ordering: .acquiring)
        try fileSystem.rename(removed, to: file(name))
        known.withLock { $0.move(Self.trashName(name, in: directory), to: name) }
        try synchronizeNames(changedAfter: refusals)
        try? fileSystem.remove(directory)
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  // MARK: Emptying

  /// A removed document, or the directory of one that was not removed in the end.
  struct Removed {
    let directory: FilePath
    /// When it was removed, in nanoseconds since 1970 (UTC).
    let modified: Int64
    /// The name of the document's file.
    let document: String?
  }

  /// Removes documents permanently that were removed before a moment, with the past versions of those
  /// that are neither there again nor in the quarantine.
  ///
  /// - Parameter latest: The moment, in nanoseconds since 1970 (UTC).
  /// - Returns: The documents that were removed.
  func emptyTrash(before latest: Int64) throws(DocumentError) -> [Removed] {
    try withLock { () throws(DocumentError) -> [Removed] in
      do throws(FileError) {
        let all = try removed()
        let old = all.filter { $0.modified <= latest }
        if old.isEmpty { return [] }
        var copies: [String: Int] = [:]
        for name in all.compactMap(\.document) { copies[name, default: 0] += 1 }
        // A quarantined document can be recovered only from its past versions.
        var quarantined: Set<String> = []
        for aside in try contentsIfThere(of: quarantine) {
          if let name = try originalName(ofQuarantined: aside) { quarantined.insert(name) }
        }
        for removed in old {
          if let name = removed.document {
            copies[name, default: 1] -= 1
            if copies[name] == 0, !quarantined.contains(name),
              try fileSystem.information(at: file(name)) == nil
            {
              try removeVersions(of: name)
            }
            try fileSystem.remove(removed.directory.appending(name))
            known.withLock { $0.set(nil, for: Self.trashName(name, in: removed.directory)) }
          }
          try fileSystem.remove(removed.directory)
        }
        return old.filter { $0.document != nil }
      } catch {
        throw DocumentError(notWritten: error)
      }
    }
  }

  /// The documents of this kind in the trash, in the order of their directories' names. A directory that
  /// contains anything else is another store's or another program's.
  func removed() throws(FileError) -> [Removed] {
    var contents: [Removed] = []
    for directory in try subdirectories(of: trash) {
      guard let found = try fileSystem.information(at: directory) else { continue }
      let names = try contentsIfThere(of: directory)
      let document = names.first { $0.hasSuffix(".\(pathExtension)") }
      guard names.count == (document == nil ? 0 : 1) else { continue }
      contents.append(
        Removed(directory: directory, modified: found.modified, document: document))
    }
    return contents
  }
}
