public import SystemPackage

/// What is known of a file without reading it.
public struct FileInformation: Hashable, Sendable {
  /// What kind of thing has the name.
  public enum Kind: Hashable, Sendable {
    /// A file that holds bytes.
    case file
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink
    /// A socket, a pipe, a device.
    case other
  }

  /// What kind of thing it is.
  public var kind: Kind
  /// The number of bytes.
  public var size: Int64
  /// The names the file has; 0 once it was removed or replaced while open.
  public var linkCount: Int
  /// Who may read and write it.
  public var permissions: FilePermissions
  /// The device and the file's number on it: two paths with one identity are one file.
  public var identity: FileIdentity
  /// When its bytes last changed, in nanoseconds since 1970 (UTC).
  public var modified: Int64

  /// Describes a file.
  public init(
    kind: Kind, size: Int64, linkCount: Int = 1, permissions: FilePermissions = .ownerReadWrite,
    identity: FileIdentity, modified: Int64 = 0
  ) {
    self.kind = kind
    self.size = size
    self.linkCount = linkCount
    self.permissions = permissions
    self.identity = identity
    self.modified = modified
  }
}

/// What makes a file the same file under any name.
public struct FileIdentity: Hashable, Sendable {
  /// The device that holds the file.
  public var device: UInt64
  /// The file's number on the device, which may be given again once the file is gone.
  public var number: UInt64

  /// Names a file by its device and number.
  public init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}
