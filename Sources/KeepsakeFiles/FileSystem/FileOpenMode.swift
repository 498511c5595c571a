public import SystemPackage

/// What a file is opened for.
public enum FileOpenMode: Hashable, Sendable {
  /// Reading alone; the file must be there.
  case read

  /// Reading, and writing at the end; the file must be there.
  case append

  /// Writing a file that must not be there yet.
  case createNew(permissions: FilePermissions)
}
