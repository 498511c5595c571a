#if Secrets
import KeepsakeBase

/// The text that a value was last decrypted from or encrypted to, which the copies of it share.
///
/// A value that did not change is written as it was: another nonce would look like a change to
/// whoever compares or merges files.
final class SealedText: Sendable {
  private let text: Mutex<String?>

  init(_ text: String? = nil) {
    self.text = Mutex(text)
  }

  /// One of its own for a value that is being changed; whether it did is seen when it is encrypted.
  func copy() -> SealedText { SealedText(text.withLock { $0 }) }

  /// Has the text made by a function that is given the last one.
  func update(_ make: (String?) throws -> String) rethrows -> String {
    try text.withLock { text in
      let made = try make(text)
      text = made
      return made
    }
  }
}
#endif
