/// What a button is for.
public enum ButtonRole: Sendable {
  /// It leaves a sheet and discards what was written there.
  case cancel
}
