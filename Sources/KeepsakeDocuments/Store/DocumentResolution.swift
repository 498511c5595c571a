/// What is to become of two versions of a document.
public enum DocumentResolution: Hashable, Sendable {
  /// Both changes are made, ours where they exclude each other.
  case merge
  /// Ours becomes a document of its own, with another identity.
  case keepBoth
  /// Ours is given up.
  case takeTheirs
  /// Theirs is replaced, and becomes a past version; what it has beyond what the type knows stays.
  ///
  /// Where this version of the app cannot decode theirs, nobody can tell what of it would go with ours:
  /// all of it is replaced, the `schemaVersion` of a newer version with it.
  case takeMine
}
