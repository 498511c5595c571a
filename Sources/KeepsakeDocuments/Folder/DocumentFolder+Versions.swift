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
    let date: Date
    let hash: String
  }

  /// The past contents of a document, newest first; whether they are whole, only reading them tells.
  func versions(of name: String) throws(FileError) -> [Version] {
    let folder = versionsFolder(of: name)
    return try contentsIfThere(of: folder).compactMap { version(named: $0, in: folder) }
      .sorted { ($0.date, $0.hash) > ($1.date, $1.hash) }
  }

  /// What a version holds, or `nil` where a power cut left only part of it.
  func content(of version: Version) throws(FileError) -> [UInt8]? {
    guard let bytes = try fileSystem.readFile(at: version.path) else { return nil }
    return ContentDigest(of: bytes).text == version.hash ? bytes : nil
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
    var date = Date()
    if let newest = kept.first?.date, newest >= date { date = newest + 0.001 }
    let path = folder.appending(Self.name(of: date, hash, pathExtension))
    if let old = kept.firstIndex(where: { $0.hash == hash }),
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

  /// `2026-11-21T08.10.50.123Z-<hash>.<extension>`: no colon, which not every disk takes.
  private static func name(of date: Date, _ hash: String, _ pathExtension: String) -> String {
    let time = timeStyle.format(date).split(separator: ":").joined(separator: ".")
    return "\(time)-\(hash).\(pathExtension)"
  }

  private func version(named name: String, in folder: FilePath) -> Version? {
    guard name.hasSuffix(".\(pathExtension)") else { return nil }
    let stem = stem(of: name)
    guard let dash = stem.lastIndex(of: "-") else { return nil }
    var time = stem[..<dash].split(separator: ".", omittingEmptySubsequences: false)
    guard time.count == 4, let fraction = time.popLast() else { return nil }
    let text = time.joined(separator: ":") + "." + fraction
    guard let date = try? Self.timeStyle.parse(text) else { return nil }
    return Version(
      path: folder.appending(name), date: date, hash: String(stem[stem.index(after: dash)...]))
  }
}
