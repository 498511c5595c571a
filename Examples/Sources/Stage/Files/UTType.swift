/// A kind of files and directories.
public enum UTType: Hashable, Sendable {
  /// A directory.
  case folder
}
