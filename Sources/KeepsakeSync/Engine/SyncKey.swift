/// What something is kept under in an engine's namespace; keys are equal if their bytes are.
public enum SyncKey: Hashable, Sendable {
  /// A value of the app, by the UTF-8 bytes of its name.
  case value([UInt8])
  /// How many of the changes that were made under an origin the namespace contains.
  ///
  /// An origin is one local store since it was opened, by a random identity: a copy of it makes its further changes
  /// under another.
  case origin(String)
  /// Something large, by its name, for who asks for it by a condition: it is neither in a snapshot nor reported to
  /// those who follow the namespace.
  case blob(String)
}
