import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DocumentFolder {
  /// A past content of a document: its file's name says when it was replaced, and what is in it.
  struct Version: Sendable {
    let path: FilePath
    /// When it was replaced, as text that sorts as the times do.
    let time: Substring
    let hash: Substring

    /// When it was replaced.
    var date: Date? { DocumentFolder.date(of: time) }
  }

  /// The past contents of a document, newest first; whether they are whole, only reading them tells.
  func versions(of name: String) throws(FileError) -> [Version] {
    let folder = versionsFolder(of: name)
    return try contentsIfThere(of: folder).compactMap { version(named: $0, in: folder) }
      .sorted { ($0.time, $0.hash) > ($1.time, $1.hash) }
  }

  /// What a version holds, or `nil` where a power cut left only part of it.
  func content(of version: Version) throws(FileError) -> [UInt8]? {
    guard let bytes = try fileSystem.readFile(at: version.path) else { return nil }
    return ContentDigest(of: bytes).text == String(version.hash) ? bytes : nil
  }

  /// Keeps what a document's file held; called with the lock held.
  ///
  /// Nothing is flushed for it: a version that a power cut tears is known by its name. The new
  /// content matters more, so that a version which cannot be kept is reported.
  func keepVersion(of writing: DocumentWriting) {
    guard configuration.versionsKept > 0, writing.isKeepingVersion, let found = writing.found,
      found != writing.text
    else { return }
    do throws(FileError) {
      try keepVersion(of: writing.name, found)
    } catch {
      report(
        DocumentError(
          .notWritten, "the past version of a document cannot be kept", file: file(writing.name),
          cause: error))
    }
  }

  private func keepVersion(of name: String, _ content: [UInt8]) throws(FileError) {
    let folder = versionsFolder(of: name)
    for folder in [versions, folder] {
      do throws(FileError) {
        try fileSystem.createFolder(folder)
      } catch {
        if error.code != .fileExists { throw error }
      }
    }
    var kept = try versions(of: name)
    let hash = ContentDigest(of: content).text
    // Two versions of one moment, or a clock that was set back, must not change the order.
    var time = Self.time(of: Date())
    if let newest = kept.first, newest.time >= time, let latest = newest.date {
      // Half a millisecond more than one: a name has what is cut off.
      time = Self.time(of: latest + 0.0015)
    }
    let path = folder.appending("\(time)-\(hash).\(pathExtension)")
    if let old = kept.firstIndex(where: { $0.hash == Substring(hash) }),
      try self.content(of: kept[old]) == content
    {
      try fileSystem.rename(kept[old].path, to: path)
      kept.remove(at: old)
    } else {
      let file = try fileSystem.open(path, .createNew(permissions: .ownerReadWrite))
      try file.writeAll(content)
    }
    for version in kept.dropFirst(configuration.versionsKept - 1) {
      try fileSystem.remove(version.path)
    }
  }

  func versionsFolder(of name: String) -> FilePath { versions.appending(stem(of: name)) }

  // MARK: Names

  private static let timeStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// `2026-11-21T08.10.50.123Z`: no colon, which not every disk takes.
  private static func time(of date: Date) -> String {
    String(timeStyle.format(date).map { $0 == ":" ? "." : $0 })
  }

  fileprivate static func date(of time: Substring) -> Date? {
    var parts = time.split(separator: ".")
    guard parts.count == 4, let fraction = parts.popLast() else { return nil }
    return try? timeStyle.parse(parts.joined(separator: ":") + "." + fraction)
  }

  /// The version that a file is by its name: `<time>-<hash>.<extension>`.
  private func version(named name: String, in folder: FilePath) -> Version? {
    let suffix = "." + pathExtension
    guard name.utf8.count == 24 + 1 + 16 + suffix.utf8.count, name.hasSuffix(suffix) else {
      return nil
    }
    let parts = name.dropLast(suffix.utf8.count)
    let (time, hash) = (parts.prefix(24), parts.suffix(16))
    guard time.utf8.count == 24, time.hasSuffix("Z"), hash.utf8.count == 16 else { return nil }
    return Version(path: folder.appending(name), time: time, hash: hash)
  }
}
