/// How much may be dropped at once; the page counts before it sends, and the app checks it again.
struct DropLimits: Sendable {
  /// The number of files and directories.
  var entries = 10_000
  /// The length of one file, in bytes.
  var fileSize = 64 << 20
  /// The length of all files together, in bytes.
  var totalSize = 1 << 30
  /// The length of the list of all entries, in bytes.
  var manifestSize = 8 << 20
  /// The length of a relative path, in bytes: below a long directory it must not exceed `PATH_MAX`.
  var pathLength = 2048
  /// The number of names in a relative path.
  var depth = 64

  /// What the page reads: the first three, which it can count.
  var attribute: String { "\(entries) \(fileSize) \(totalSize)" }
}
