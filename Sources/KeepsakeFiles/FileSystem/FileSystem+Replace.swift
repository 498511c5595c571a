public import SystemPackage

extension FileSystem {
  /// Replaces the content of a file atomically, and flushes it, so that it survives a power cut.
  ///
  /// The bytes are written to a temporary file in the same directory, which is flushed and renamed to
  /// the path; then the directory is flushed. The old file is never truncated or overwritten. Its
  /// permissions are kept; a new file is accessible only to its owner.
  ///
  /// - Throws: ``FileError``, which says whether the file has the old content or the new.
  public func replaceFile(at path: FilePath, with bytes: [UInt8]) throws(FileError) {
    _ = try replaceFile(at: path, with: bytes) { (_, new) throws(FileError) in
      try rename(new, to: path)
      return true
    }
  }

  /// Replaces a file as ``replaceFile(at:with:)`` does, unless another program changed it.
  ///
  /// If the file system can exchange names, even a change just before the rename is detected.
  ///
  /// - Parameters:
  ///   - old: The attributes of the file as the caller last read them, `nil` if it did not exist.
  ///   - new: Receives the attributes of the new file, even if the directory could not be flushed.
  /// - Returns: Whether the file was replaced; false if another program changed it.
  package func replaceFile(
    at path: FilePath, ifStill old: FileInformation?, with bytes: [UInt8],
    new: inout FileInformation?
  ) throws(FileError) -> Bool {
    // A copy, which the closure can change.
    var named: FileInformation?
    defer { new = named }
    return try replaceFile(at: path, with: bytes) { (file, temporary) throws(FileError) in
      // Read before the rename, because an editor may write to the file immediately after it.
      let information = try file.information()
      let isReplaced = try rename(temporary, information, to: path, ifStill: old)
      if isReplaced { named = information }
      return isReplaced
    }
  }

  /// Writes and flushes a temporary file, and calls a closure that renames it.
  ///
  /// - Parameter name: Receives the temporary file and its path, and returns whether it renamed it.
  /// - Returns: The result of `name`.
  private func replaceFile(
    at path: FilePath, with bytes: [UInt8],
    name: (any OpenFile, FilePath) throws(FileError) -> Bool
  ) throws(FileError) -> Bool {
    let old = try information(at: path)
    switch old?.kind {
    case nil, .file: break
    case .directory: throw FileError(.write, path, .isDirectory)
    case .symbolicLink: throw FileError(.write, path, .tooManySymbolicLinkLevels)
    case .other: throw FileError(.write, path, .invalidArgument)
    }
    let location = FileLocation(path)
    let new = location.temporaryPath
    do throws(FileError) {
      let file = try open(new, .createNew(permissions: old?.permissions ?? .ownerReadWrite))
      try file.writeAll(bytes)
      try file.synchronize()
      guard try name(file, new) else {
        try? remove(new)
        return false
      }
    } catch {
      if !error.effect.isEmpty { throw error }
      try? remove(new)
      throw error.leaving(old == nil ? "no file was created" : "the file is unchanged")
    }
    do throws(FileError) {
      try synchronizeDirectory(location.directory)
    } catch {
      throw error.leaving("the new content was written, but a power cut may restore the old")
    }
    return true
  }

  /// Renames a new file to the path of an old one, unless another program changed that.
  ///
  /// - Returns: Whether it was renamed; otherwise another program's file is at the path.
  private func rename(
    _ temporary: FilePath, _ new: FileInformation, to path: FilePath, ifStill old: FileInformation?
  ) throws(FileError) -> Bool {
    if try information(at: path) != old { return false }
    do throws(FileError) {
      if old == nil {
        try link(temporary, to: path)
        try? remove(temporary)
        return true
      }
      try exchange(temporary, with: path)
    } catch {
      switch error.code {
      case .fileExists where old == nil: return false
      case .noSuchFileOrDirectory where old != nil: return false
      // The file system has no hard links; Android does not permit them.
      case .notSupported, .notPermitted, .permissionDenied, .tooManyLinks, .noFunction:
        try rename(temporary, to: path)
      default: throw error
      }
      return true
    }
    guard let replaced = try? information(at: temporary) else { return true }
    if replaced == old {
      try? remove(temporary)
      return true
    }
    // Another program saved just before: its file gets the name again.
    do throws(FileError) {
      try exchange(temporary, with: path)
      if let own = try information(at: temporary), own.identity != new.identity {
        // It saved once more.
        try exchange(temporary, with: path)
      }
    } catch {
      let kept = keep(temporary, beside: path)
      throw error.leaving("the last version that another program saved was kept as '\(kept)'")
    }
    return false
  }

  /// Renames a temporary file so that ``removeLeftovers(of:in:)`` does not remove it.
  ///
  /// - Returns: The new path, or the old one if the rename fails.
  private func keep(_ temporary: FilePath, beside path: FilePath) -> FilePath {
    do throws(FileError) {
      var number = 1
      while try information(at: FileLocation(path).numberedPath("edited", number)) != nil {
        number += 1
      }
      let kept = FileLocation(path).numberedPath("edited", number)
      try rename(temporary, to: kept)
      return kept
    } catch {
      return temporary
    }
  }

  /// Removes the temporary files of writers that were killed while they replaced some files of one
  /// directory.
  ///
  /// Only for files with one writer at a time: another writer's temporary file would be removed, too.
  package func removeLeftovers(
    of paths: [FilePath], in directory: FilePath
  ) throws(FileError) {
    let prefixes = paths.map { FileLocation($0).temporaryPrefix }
    for name in try contents(ofDirectory: directory)
    where name.hasSuffix(FileLocation.temporarySuffix) && prefixes.contains(where: name.hasPrefix) {
      try remove(directory.appending(name))
    }
  }

  /// Writes the damaged bytes of a file to a quarantine file beside it.
  ///
  /// - Parameters:
  ///   - bytes: The damaged bytes.
  ///   - path: The file that they were read from.
  ///   - reason: A word for the quarantine file's name, such as "unreadable".
  /// - Returns: The path of the quarantine file.
  package func quarantine(
    _ bytes: [UInt8], of path: FilePath, as reason: String
  ) throws(FileError) -> FilePath {
    var number = 1
    while true {
      let quarantine = FileLocation(path).numberedPath(reason, number)
      guard let kept = try readFile(at: quarantine) else {
        var new: FileInformation?
        // Another process may keep other bytes under the same name.
        if try replaceFile(at: quarantine, ifStill: nil, with: bytes, new: &new) {
          return quarantine
        }
        continue
      }
      // The same bytes are kept only once, however often they are found.
      if kept == bytes { return quarantine }
      number += 1
    }
  }

  /// Creates a directory and its missing parents, each accessible only to its owner, and flushes them,
  /// so that they survive a power cut.
  public func createDirectories(_ path: FilePath) throws(FileError) {
    if let found = try information(at: path), found.kind != .file { return }
    let parent = path.removingLastComponent()
    if !parent.isEmpty && parent != path { try createDirectories(parent) }
    do throws(FileError) {
      try createDirectory(path)
    } catch {
      // Another process may have created it first.
      if error.code == .fileExists, try information(at: path)?.kind == .directory { return }
      throw error
    }
    if parent.isEmpty { return }
    do throws(FileError) {
      try synchronizeDirectory(parent)
    } catch {
      // A process that finds the directory would assume that it was flushed.
      try? remove(path)
      throw error
    }
  }
}

/// A file's directory and its name in it.
private struct FileLocation {
  let directory: FilePath
  let name: String

  init(_ path: FilePath) {
    directory = path.removingLastComponent()
    name = path.lastComponent?.string ?? ""
  }

  static let temporarySuffix = ".new"
  var temporaryPrefix: String { ".\(name)." }

  /// A path beside the file that no other writer uses.
  var temporaryPath: FilePath {
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    return directory.appending(temporaryPrefix + unique + Self.temporarySuffix)
  }

  /// A path beside the file for bytes that are kept.
  func numberedPath(_ reason: String, _ number: Int) -> FilePath {
    directory.appending("\(name).\(reason)-\(number)")
  }
}
