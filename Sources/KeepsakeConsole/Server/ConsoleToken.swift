#if Console
/// The secret that a page must know; another at each start.
struct ConsoleToken: Sendable {
  let string: String

  init() {
    var generator = SystemRandomNumberGenerator()
    string = (0..<64).map { _ in
      String(UInt8.random(in: 0..<16, using: &generator), radix: 16)
    }.joined()
  }

  /// Whether a page knows the secret; takes equally long for every wrong guess of its length.
  func matches(_ guess: String) -> Bool {
    let (own, other) = (Array(string.utf8), Array(guess.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
#endif
