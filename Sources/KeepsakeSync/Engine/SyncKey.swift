/// What something is kept under in an engine's namespace; keys are equal if their bytes are.
public enum SyncKey: Hashable, Sendable {
  /// A value of the app, by the UTF-8 bytes of its name.
  case value([UInt8])
  /// How far the namespace contains the changes of an origin; for documents, only that a commit is of that origin.
  ///
  /// An origin is one local store, by a random identity: a copy of it makes its further changes under another.
  case origin(String)
  /// Something large, by its name, which is read by a commit's condition: it is neither in a snapshot nor reported to
  /// members that follow the namespace.
  case blob(String)
}
