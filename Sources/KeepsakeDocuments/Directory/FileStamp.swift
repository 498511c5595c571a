import KeepsakeFiles

/// The attributes by which two contents of a file differ, so that it need not be read.
package struct FileStamp: Hashable, Sendable {
  private let identity: FileInformation.Identity
  private let size: Int64
  /// When the bytes last changed, in nanoseconds since 1970 (UTC).
  package let modified: Int64

  init(_ information: FileInformation) {
    identity = information.identity
    size = information.size
    modified = information.modified
  }

  /// Whether the file was changed so long ago that another change would show: there are file systems that count time in
  /// steps of two seconds.
  package var isSettled: Bool { modified < DocumentDirectory.now - 2_000_000_000 }
}
