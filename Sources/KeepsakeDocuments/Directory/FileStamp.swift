import KeepsakeFiles

/// The attributes by which two contents of a file differ, so that it need not be read.
package struct FileStamp: Hashable, Sendable {
  private let identity: FileInformation.Identity
  private let size: Int64
  private let modified: Int64

  init(_ information: FileInformation) {
    identity = information.identity
    size = information.size
    modified = information.modified
  }
}
