import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DocumentDirectory {
  /// A past version of a document, whose file name contains the time when it was replaced and a hash of its
  /// content.
  struct Version: Sendable {
    fileprivate let directory: FilePath
    /// `<time>-<hash>.<extension>`, which sorts as the times do.
    let name: String

    var path: FilePath { directory.appending(name) }
    /// When it was replaced, as text that sorts as the times do.
    var time: Substring { Substring(name.utf8.prefix(Self.timeLength)) }
    var hash: Substring {
      Substring(name.utf8.dropFirst(Self.timeLength + 1).prefix(Self.hashLength))
    }

    /// When it was replaced.
    var date: Date? { DocumentDirectory.date(of: time) }

    fileprivate static let timeLength = 24
    fileprivate static let hashLength = 16
  }

  /// The past versions of a document, newest first; only reading them shows whether they are complete.
  func versions(of name: String) throws(FileError) -> [Version] {
    let directory = versionsDirectory(of: name)
    return try contentsIfThere(of: directory).reversed().compactMap { name in
      isVersion(name) ? Version(directory: directory, name: name) : nil
    }
  }

  /// The content of a version, or `nil` if a power cut left only part of it.
  func content(of version: Version) throws(FileError) -> [UInt8]? {
    guard let bytes = try fileSystem.readFile(at: version.path) else { return nil }
    return ContentDigest(of: bytes).text == version.hash ? bytes : nil
  }

  /// The past version of a document with a digest, if it was kept.
  func pastContent(of name: String, digest: String) -> [UInt8]? {
    do throws(FileError) {
      let version = try versions(of: name).first { $0.hash == digest }
      return if let version { try content(of: version) } else { nil }
    } catch {
      return nil
    }
  }

  /// Keeps the old content of a document's file; the caller holds the lock.
  ///
  /// Nothing is flushed: a version that a power cut tears is recognized by its hash. An error is only
  /// reported, because the new content is more important.
  ///
  /// - Parameter path: The document's file.
  /// - Returns: The names of the versions, newest first, if they are known.
  func keepVersion(of writing: DocumentWriting, at path: FilePath) -> [String]? {
    guard let found = writing.found else { return nil }
    let digest = ContentDigest(of: found)
    // The list belongs to the old content, and is not known until the new one is written.
    var known: [String]?
    self.known.withLock { contents in
      contents.update(writing.name, digest) { swap(&$0.versions, &known) }
    }
    guard configuration.versionsKept > 0, writing.isKeepingVersion, writing.damage == nil,
      found != writing.text
    else { return known }
    do throws(FileError) {
      return try keepVersion(of: writing.name, found, digest.text, known, at: path)
    } catch {
      report(
        DocumentError(
          .notWritten, "a past version of a document cannot be kept", file: path,
          cause: error))
      return nil
    }
  }

  private func keepVersion(
    of name: String, _ content: [UInt8], _ hash: String, _ known: [String]?, at file: FilePath
  ) throws(FileError) -> [String] {
    let directory = versionsDirectory(of: name)
    var kept: [String]
    if let known {
      try requireNoLink(at: directory)
      kept = known
    } else {
      kept = try versions(of: name).map(\.name)
    }
    func version(_ name: String) -> Version { Version(directory: directory, name: name) }
    // The order must be correct for two versions in one millisecond, and if the clock was set back.
    var time = Self.time(of: Self.now / 1_000_000)
    if let newest = kept.first.map(version), newest.time >= time, let latest = newest.date {
      // No later one than that year has four digits, as somebody may have given it to a file by hand.
      let next = Int64((latest.timeIntervalSince1970 * 1000).rounded()) + 1
      time = Self.time(of: min(next, 253_402_300_799_999))
    }
    let newest = version("\(time)-\(hash).\(pathExtension)")
    if let index = kept.firstIndex(where: { version($0).hash == hash }),
      try self.content(of: version(kept[index])) == content
    {
      try fileSystem.rename(version(kept[index]).path, to: newest.path)
      kept.remove(at: index)
    } else {
      do throws(FileError) {
        try keep(file, content, as: newest.path)
      } catch  where error.code == .noSuchFileOrDirectory {
        try createVersionsDirectory(directory)
        try keep(file, content, as: newest.path)
      }
    }
    kept.insert(newest.name, at: 0)
    while kept.count > configuration.versionsKept {
      do throws(FileError) {
        try fileSystem.remove(version(kept.removeLast()).path)
      } catch {
        if error.code != .noSuchFileOrDirectory { throw error }
      }
    }
    return kept
  }

  /// Removes all past versions of a document.
  func removeVersions(of name: String) throws(FileError) {
    for version in try versions(of: name) { try fileSystem.remove(version.path) }
    // Another program's file may be in it.
    try? fileSystem.remove(versionsDirectory(of: name))
  }

  /// Gives the file that will be replaced another name, or copies its content if the file system has no
  /// hard links.
  private func keep(
    _ file: FilePath, _ content: [UInt8], as path: FilePath
  ) throws(FileError) {
    do throws(FileError) {
      try fileSystem.link(file, to: path)
    } catch {
      switch error.code {
      case .notPermitted, .notSupported, .permissionDenied, .improperLink, .tooManyLinks: break
      default: throw error
      }
      let file = try fileSystem.open(path, .createNew(permissions: .ownerReadWrite))
      try file.writeAll(content)
    }
  }

  private func createVersionsDirectory(_ directory: FilePath) throws(FileError) {
    for directory in [versions, directory] {
      do throws(FileError) {
        try fileSystem.createDirectory(directory)
      } catch {
        if error.code != .fileExists { throw error }
      }
    }
  }

  func versionsDirectory(of name: String) -> FilePath { file("Versions/\(stem(of: name))") }

  // MARK: Names

  /// `2026-11-21T08.10.50.123Z`, without colons, which some file systems do not allow.
  ///
  /// - Parameter milliseconds: Since 1970.
  private static func time(of milliseconds: Int64) -> String {
    let (seconds, fraction) = (milliseconds / 1000, Int(milliseconds % 1000))
    let dot = UInt8(ascii: ".")
    return String(unsafeUninitializedCapacity: Version.timeLength) { text in
      let whole = Int(seconds) - Int(Date.timeIntervalBetween1970AndReferenceDate)
      ISO8601.write(whole, to: text.baseAddress!)
      for (index, byte) in zip([13, 16, 19, 23], [dot, dot, dot, UInt8(ascii: "Z")]) {
        text[index] = byte
      }
      for (index, unit) in zip(20..., [100, 10, 1]) {
        text[index] = UInt8(ascii: "0") + UInt8(fraction / unit % 10)
      }
      return Version.timeLength
    }
  }

  fileprivate static func date(of time: Substring) -> Date? {
    var text = Array(time.utf8)
    let (dot, colon) = (UInt8(ascii: "."), UInt8(ascii: ":"))
    guard text.count == Version.timeLength, text[13] == dot, text[16] == dot else { return nil }
    (text[13], text[16]) = (colon, colon)
    return text.withUnsafeBufferPointer { text in
      ISO8601.seconds(of: text.baseAddress!, count: text.count, form: .onlyUTC)
    }.map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Whether a file is a version by its name.
  private func isVersion(_ name: String) -> Bool {
    var (name, suffix) = (name, ".\(pathExtension)")
    return name.withUTF8 { name in
      suffix.withUTF8 { suffix in
        name.count == Version.timeLength + 1 + Version.hashLength + suffix.count
          && name[Version.timeLength - 1] == UInt8(ascii: "Z")
          && name[Version.timeLength] == UInt8(ascii: "-")
          && name[(name.count - suffix.count)...].elementsEqual(suffix)
      }
    }
  }
}
