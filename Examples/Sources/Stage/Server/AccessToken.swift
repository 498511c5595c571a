import Keepsake
import SystemPackage

/// The secret that a page must know to drive an app.
///
/// It is kept with the app's saved state, where only the user can read it, so that the pages which
/// are open while the app is started again find their way back. Removing the file makes a new one.
struct AccessToken: Sendable {
  let string: String

  /// The secret of the app with these directories, made at the first start.
  init(in container: AppContainer) throws {
    let files = LocalFileSystem()
    let path = container.savedState.appending("window-access-token")
    if let bytes = try files.readFile(at: path), bytes.count == 2 * Self.byteCount {
      self.init(string: String(decoding: bytes, as: UTF8.self))
      return
    }
    self.init()
    try files.createDirectories(container.savedState)
    try files.replaceFile(at: path, with: Array(string.utf8))
  }

  /// A new secret.
  init() {
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<2 * Self.byteCount).map { _ in
      String(UInt8.random(in: 0..<16, using: &generator), radix: 16)
    }
    self.init(string: digits.joined())
  }

  private init(string: String) {
    self.string = string
  }

  private static let byteCount = 32

  /// Whether a page knows the secret; takes equally long for every wrong guess of its length.
  func matches(_ guess: String) -> Bool {
    let (own, other) = (Array(string.utf8), Array(guess.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
