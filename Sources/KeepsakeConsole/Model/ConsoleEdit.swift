#if Console
import KeepsakeCoding

/// A change that was made with the console, so that it can be undone.
struct ConsoleEdit: Sendable {
  let source: any ConsoleSource
  let name: String
  let old: PropertyList.Value?
  let new: PropertyList.Value?

  /// What undoing it would do, in words.
  var undoing: String {
    old.map { "\(name) back to \(source.words(for: $0, of: name))" } ?? "remove \(name) again"
  }
}
#endif
