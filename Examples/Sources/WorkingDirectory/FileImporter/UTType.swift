/// A kind of files and directories.
enum UTType: Hashable, Sendable {
  /// A directory.
  case folder
}
