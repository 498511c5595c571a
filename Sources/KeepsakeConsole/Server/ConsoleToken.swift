#if Console
import KeepsakeBase

/// The secret that a page must know; another at each start.
struct ConsoleToken: Sendable {
  let string: String

  init() { string = Hexadecimal.random(byteCount: 32) }

  /// Whether a page knows the secret; takes equally long for every wrong guess of its length.
  func matches(_ guess: String) -> Bool {
    let (own, other) = (Array(string.utf8), Array(guess.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
#endif
