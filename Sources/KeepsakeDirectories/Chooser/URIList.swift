import KeepsakeBase
public import SystemPackage

/// What was dragged from a file manager, in the format `text/uri-list` (RFC 2483) of X11, Wayland and GTK.
///
/// ```swift
/// func drop(_ text: String) -> Bool {
///   do {
///     try chosen(URIList(text).directory())
///     return true
///   } catch {
///     show("Drag a folder instead.", because: error)
///     return false
///   }
/// }
/// ```
public struct URIList: Hashable, Sendable {
  /// The paths of the files and directories that were dragged.
  public let paths: [FilePath]

  /// Reads a list of `file` URIs (RFC 8089), one on each line.
  ///
  /// - Throws: ``DirectoryChooserError/notLocal(_:)`` for another URI, or one of another machine.
  /// - Complexity: O(*n*).
  public init(_ text: String) throws(DirectoryChooserError) {
    var paths: [FilePath] = []
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      paths.append(try Self.path(ofURI: String(line)))
    }
    self.paths = paths
  }

  /// The directory, if exactly one was dragged.
  ///
  /// - Returns: Its absolute path without symbolic links.
  /// - Throws: ``DirectoryChooserError``: `notADirectory` for a file.
  public func directory() throws(DirectoryChooserError) -> FilePath {
    guard paths.count == 1 else { throw .notOneItem(count: paths.count) }
    return try ChosenDirectory.check(paths[0])
  }

  /// The path in a `file` URI.
  static func path(ofURI uri: String) throws(DirectoryChooserError) -> FilePath {
    let scheme = "file:"
    guard uri.prefix(scheme.count).lowercased() == scheme else { throw .notLocal(uri) }
    var rest = uri.dropFirst(scheme.count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" || String(host) == hostName else {
        throw .notLocal(uri)
      }
      rest = rest.dropFirst(host.count)
    }
    // A name need not be UTF-8, and a question mark or number sign is encoded where it is part of one.
    guard rest.hasPrefix("/"), !rest.contains("?"), !rest.contains("#"),
      let bytes = PercentEncoding.decodeBytes(String(rest)), !bytes.contains(0)
    else { throw .notLocal(uri) }
    return FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }

  private static var hostName: String? {
    var buffer = [CChar](repeating: 0, count: 257)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(platformString: buffer)
  }
}
