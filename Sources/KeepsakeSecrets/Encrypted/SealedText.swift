#if Secrets
import KeepsakeBase

/// The text from which a value was last decrypted, or to which it was encrypted; copies of the value
/// share it.
///
/// An unchanged value is encoded as the same text: another nonce would look like a change in a
/// comparison or merge of files.
final class SealedText: Sendable {
  private let text: Mutex<String?>

  init(_ text: String? = nil) {
    self.text = Mutex(text)
  }

  /// A separate text for a value that may change; its encryption compares the values.
  func copy() -> SealedText { SealedText(text.withLock { $0 }) }

  /// Replaces the text by the result of a function of the last one.
  func update(_ make: (String?) throws -> String) rethrows -> String {
    try text.withLock { text in
      let made = try make(text)
      text = made
      return made
    }
  }
}
#endif
