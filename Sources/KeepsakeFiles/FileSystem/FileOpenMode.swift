public import SystemPackage

/// How a file is opened.
public enum FileOpenMode: Hashable, Sendable {
  /// For reading; the file must exist.
  case read

  /// For reading, and writing at the end; the file must exist.
  case append

  /// For reading, and writing at the end; a missing file is created, accessible only to its owner.
  case appendCreating

  /// For writing a new file; the path must not exist.
  case createNew(permissions: FilePermissions)
}
