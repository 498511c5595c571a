#if Console
import KeepsakeBase
public import KeepsakeFiles
public import SystemPackage

extension Loopback {
  /// The secret that a page must know.
  ///
  /// The address that an app prints contains it in its fragment, which no browser sends. A page sends it in the
  /// header `Authorization: Bearer …` (RFC 6750), or, because a browser's `WebSocket` can send no such header,
  /// as one of its protocols: `new WebSocket(address, ["keepsake", "bearer." + token])`. It is part of no URL
  /// of a request, which browsers and proxies log.
  public struct Token: Sendable {
    /// The digits.
    public let string: String

    private static let byteCount = 32

    /// A new token.
    public init() { string = Hexadecimal.random(byteCount: Self.byteCount) }

    /// The token in a file, which is created with a new one if there is none: pages that are open while the app is
    /// restarted remain valid.
    ///
    /// - Parameters:
    ///   - path: The file, accessible only to its owner. Removing it ends the access of all pages.
    ///   - fileSystem: The file system that it is on.
    /// - Throws: `FileError` if it cannot be read or written.
    public init(savedAt path: FilePath, fileSystem: any FileSystem = LocalFileSystem()) throws {
      while true {
        let old = try fileSystem.information(at: path)
        if let bytes = try fileSystem.readFile(at: path), bytes.count == 2 * Self.byteCount,
          let saved = String(validating: bytes, as: UTF8.self)
        {
          self.init(string: saved)
          return
        }
        try fileSystem.createDirectories(path.removingLastComponent())
        // Of processes that start at the same moment one creates the file, and all read what it says.
        var new: FileInformation?
        _ = try fileSystem.replaceFile(
          at: path, ifStill: old, with: Array(Self().string.utf8), new: &new)
      }
    }

    private init(string: String) {
      self.string = string
    }

    /// Whether a guess is the token; takes equally long for each wrong guess of its length.
    func matches(_ guess: some StringProtocol) -> Bool {
      let (own, other) = (Array(string.utf8), Array(guess.utf8))
      guard own.count == other.count else { return false }
      return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }
}
#endif
