public import SystemPackage

extension FileSystem {
  /// Gives a file new content, whole or not at all, and safe against a power cut on return.
  ///
  /// The bytes go to a file of their own in the same directory, are flushed, and take the old file's
  /// name in one step; then the directory is flushed. The old file is never cut or written over, and
  /// its permissions are kept; a new one is its owner's alone.
  ///
  /// - Throws: ``FileError``, which says whether the old content or the new is in place.
  public func replaceFile(at path: FilePath, with bytes: [UInt8]) throws(FileError) {
    _ = try replaceFile(at: path, with: bytes) { (_, new) throws(FileError) in
      try rename(new, to: path)
      return true
    }
  }

  /// Gives a file new content as ``replaceFile(at:with:)`` does, unless another program changed it.
  ///
  /// Where the file system exchanges names, a change in the very last moment is noticed too.
  ///
  /// - Parameters:
  ///   - old: What the file was when its user last saw it, `nil` where there was none.
  ///   - new: Receives what the file is now, also where only the directory could not be flushed.
  /// - Returns: Whether the file was replaced; false where another program changed it.
  package func replaceFile(
    at path: FilePath, ifStill old: FileInformation?, with bytes: [UInt8],
    new: inout FileInformation?
  ) throws(FileError) -> Bool {
    // A copy, which the closure can change.
    var named: FileInformation?
    defer { new = named }
    return try replaceFile(at: path, with: bytes) { (file, temporary) throws(FileError) in
      // Known before the file has its name, for an editor may write to it at once.
      let information = try file.information()
      let isReplaced = try give(temporary, information, nameOf: old, path)
      if isReplaced { named = information }
      return isReplaced
    }
  }

  /// Gives a file its content, by way of a new file that is flushed and then takes its name.
  ///
  /// - Parameter name: Given the new file and its path, which it gives the name, or returns false.
  /// - Returns: What `name` returned.
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
    let place = FilePlace(path)
    let new = place.temporaryPath
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
      throw error.leaving(old == nil ? "no file was made" : "the file is as it was")
    }
    do throws(FileError) {
      try synchronizeDirectory(place.directory)
    } catch {
      throw error.leaving("the new content is in place, but a power cut may bring back the old")
    }
    return true
  }

  /// Gives a new file the name of an old one, unless another program changed that.
  ///
  /// - Returns: Whether it has the name; otherwise another program's file has it.
  private func give(
    _ temporary: FilePath, _ new: FileInformation, nameOf old: FileInformation?, _ path: FilePath
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
      // A file system with one name for a file; Android permits no second one.
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
    // Another program saved just before: its file has the name again.
    do throws(FileError) {
      try exchange(temporary, with: path)
      if let own = try information(at: temporary), own.identity != new.identity {
        // It saved once more.
        try exchange(temporary, with: path)
      }
    } catch {
      let kept = keep(temporary, besides: path)
      throw error.leaving("what another program saved last is '\(kept)'")
    }
    return false
  }

  /// Gives a file that is to be kept a name that ``removeLeftovers(of:in:)`` does not remove.
  ///
  /// - Returns: The new path, or the old one where the disk refuses.
  private func keep(_ temporary: FilePath, besides path: FilePath) -> FilePath {
    do throws(FileError) {
      var number = 1
      while try information(at: FilePlace(path).aside("edited", number)) != nil { number += 1 }
      let aside = FilePlace(path).aside("edited", number)
      try rename(temporary, to: aside)
      return aside
    } catch {
      return temporary
    }
  }

  /// Removes what writers that were killed in mid-save left beside some files of one directory.
  ///
  /// Only for files whose writers take turns: another's unfinished file would be removed too.
  public func removeLeftovers(
    of paths: [FilePath], in directory: FilePath
  ) throws(FileError) {
    let prefixes = paths.map { FilePlace($0).temporaryPrefix }
    for name in try contents(ofDirectory: directory)
    where name.hasSuffix(FilePlace.temporarySuffix) && prefixes.contains(where: name.hasPrefix) {
      try remove(directory.appending(name))
    }
  }

  /// Keeps the bytes of a file that cannot be used in a file of their own beside it.
  ///
  /// - Parameter reason: A word for the new name, such as "unreadable".
  /// - Returns: The new path.
  public func setAside(
    _ bytes: [UInt8], of path: FilePath, as reason: String
  ) throws(FileError) -> FilePath {
    var number = 1
    while true {
      let aside = FilePlace(path).aside(reason, number)
      guard let kept = try readFile(at: aside) else {
        try replaceFile(at: aside, with: bytes)
        return aside
      }
      // The same bytes are kept once, however often they are met.
      if kept == bytes { return aside }
      number += 1
    }
  }

  /// Makes a directory and those above it that are missing, each its owner's alone and safe against a
  /// power cut on return.
  public func createDirectories(_ path: FilePath) throws(FileError) {
    if let found = try information(at: path), found.kind != .file { return }
    let parent = path.removingLastComponent()
    if !parent.isEmpty && parent != path { try createDirectories(parent) }
    do throws(FileError) {
      try createDirectory(path)
    } catch {
      // Another process may have been faster.
      if error.code == .fileExists, try information(at: path)?.kind == .directory { return }
      throw error
    }
    if parent.isEmpty { return }
    do throws(FileError) {
      try synchronizeDirectory(parent)
    } catch {
      // Whoever finds it there takes it for safe.
      try? remove(path)
      throw error
    }
  }
}

/// A file's directory and its name there.
private struct FilePlace {
  let directory: FilePath
  let name: String

  init(_ path: FilePath) {
    directory = path.removingLastComponent()
    name = path.lastComponent?.string ?? ""
  }

  static let temporarySuffix = ".new"
  var temporaryPrefix: String { ".\(name)." }

  /// A path beside the file that no other writer chooses.
  var temporaryPath: FilePath {
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    return directory.appending(temporaryPrefix + unique + Self.temporarySuffix)
  }

  /// A path beside the file for bytes that are kept.
  func aside(_ reason: String, _ number: Int) -> FilePath {
    directory.appending("\(name).\(reason)-\(number)")
  }
}
