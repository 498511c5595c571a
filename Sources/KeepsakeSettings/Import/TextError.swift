/// An error in a text, with its location.
struct TextError: Error, CustomStringConvertible {
  let line: Int
  /// Counted from 1 in Unicode scalars.
  let column: Int
  let message: String

  var description: String { "line \(line), column \(column): \(message)" }
}
