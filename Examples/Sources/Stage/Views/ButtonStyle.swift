/// How a button looks.
public enum ButtonStyle: String, Sendable {
  /// A filled shape, as the one thing to do.
  case borderedProminent = "prominent"
  /// A shape that stands back.
  case bordered = "bordered"
  /// Only what the button shows.
  case plain = "plain"
}
