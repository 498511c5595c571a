import KeepsakeBase
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
/// Finds a directory that the user chose earlier, also in a later run, and after the directory was
/// renamed or moved.
///
/// ```swift
/// @AppStorage("workingDirectory") var bookmark: DirectoryBookmark?
///
/// bookmark = try DirectoryBookmark(directory: "/home/ann/Pictures")
///
/// let found = try bookmark.resolve()
/// if found.isStale { bookmark = try DirectoryBookmark(directory: found.path) }
/// try found.withAccess { directory in … }
/// ```
///
/// It contains the directory's path, its identity on the disk (inode number, birth time, the kernel's
/// handle) and a marker: an extended attribute that moves with the directory to another disk.
///
/// It grants no permissions. On a platform with sandboxes, use the platform's own bookmarks.
public struct DirectoryBookmark: RawRepresentable, Hashable, Sendable {
  /// The path that was bookmarked, without symbolic links.
  public let path: FilePath
  let identity: DirectoryIdentity
  let marker: String?

  /// Creates a bookmark of a directory.
  ///
  /// - Parameters:
  ///   - directory: The directory; symbolic links to it are resolved.
  ///   - marking: Whether to set an extended attribute of the directory, `user.keepsake.bookmark`, by
  ///     which it is recognized on another disk. If it cannot be set, the bookmark has no marker.
  /// - Throws: ``BookmarkError`` if the directory does not exist or cannot be opened.
  public init(directory: FilePath, marking: Bool = true) throws(BookmarkError) {
    guard let path = Self.realPath(of: directory) else {
      throw BookmarkError(Self.reason(.open, directory, .current), directory)
    }
    do throws(FileError) {
      let open = try OpenDirectory(path)
      self.path = path
      identity = try DirectoryIdentity(of: open.descriptor, at: path)
      marker = marking ? DirectoryMarker.add(to: open.descriptor) : nil
    } catch {
      throw BookmarkError(Self.reason(error.operation, path, error.code), path)
    }
  }

  package static func realPath(of path: FilePath) -> FilePath? {
    guard let real = path.withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return FilePath(platformString: real)
  }

  static func reason(
    _ operation: FileError.Operation, _ path: FilePath, _ code: Errno
  ) -> BookmarkError.Reason {
    switch code {
    case .noSuchFileOrDirectory: .missing
    case .notDirectory: .notADirectory
    case .permissionDenied, .notPermitted: .notPermitted
    default: .failed(FileError(operation, path, code))
    }
  }

  // MARK: Text

  private static let title = "directory bookmark 1"

  /// The bookmark as lines of text: a title, the path, the inode number, and the optional parts.
  public var rawValue: String {
    var lines = [Self.title, "path \(Self.escape(path.string))", "number \(identity.number)"]
    if let born = identity.born { lines.append("born \(born)") }
    if let handle = identity.handle { lines.append("handle \(handle)") }
    if let marker { lines.append("marker \(marker)") }
    return lines.joined(separator: "\n")
  }

  /// Reads a bookmark from text; `nil` if the text is not a bookmark.
  public init?(rawValue: String) {
    let lines = rawValue.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map(String.init) == Self.title else { return nil }
    var values: [Substring: Substring] = [:]
    for line in lines.dropFirst() {
      guard let space = line.firstIndex(of: " ") else { return nil }
      values[line[..<space]] = line[line.index(after: space)...]
    }
    guard let path = values["path"].flatMap(Self.unescape), !path.isEmpty,
      let number = values["number"].flatMap({ UInt64($0) })
    else { return nil }
    self.path = FilePath(path)
    identity = DirectoryIdentity(
      number: number, born: values["born"].flatMap { Int64($0) },
      handle: values["handle"].map(String.init))
    marker = values["marker"].map(String.init)
  }

  /// The bookmark as data, for code that stores bookmarks as data.
  public var data: Data { Data(rawValue.utf8) }

  /// Reads a bookmark from its ``data``.
  ///
  /// - Throws: ``BookmarkError`` if the data is not a bookmark.
  public init(data: Data) throws(BookmarkError) {
    guard let bookmark = DirectoryBookmark(rawValue: String(decoding: data, as: UTF8.self)) else {
      throw BookmarkError(.unreadable, "")
    }
    self = bookmark
  }

  private static func escape(_ text: String) -> String {
    text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "%0A")
  }

  private static func unescape(_ text: Substring) -> String? {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    var result = String(parts[0])
    for part in parts.dropFirst() {
      switch part.prefix(2) {
      case "25": result += "%"
      case "0A": result += "\n"
      default: return nil
      }
      result += part.dropFirst(2)
    }
    return result
  }
}

extension DirectoryBookmark: Codable {}
