public import SystemPackage

/// What a file is opened for.
public enum FileOpenMode: Hashable, Sendable {
  /// Reading alone; the file must be there.
  case read

  /// Reading, and writing at the end; the file must be there.
  case append

  /// Reading, and writing at the end; the file is made, its owner's alone, where it is missing.
  case appendCreating

  /// Writing a file that must not be there yet.
  case createNew(permissions: FilePermissions)
}
