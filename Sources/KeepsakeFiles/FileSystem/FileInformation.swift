public import SystemPackage

/// The attributes of a file.
public struct FileInformation: Hashable, Sendable {
  /// The kind of a file.
  public enum Kind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink
    /// A socket, a pipe or a device.
    case other
  }

  /// The kind of the file.
  public var kind: Kind
  /// The number of bytes.
  public var size: Int64
  /// The number of hard links; 0 if the file was removed or replaced while open.
  public var linkCount: Int
  /// The permissions.
  public var permissions: FilePermissions
  /// The device and the inode number: two paths with the same identity are the same file.
  public var identity: FileInformation.Identity
  /// When the bytes last changed, in nanoseconds since 1970 (UTC); earliest in 1811, and latest in 2255.
  public var modified: Int64

  /// Creates the attributes of a file.
  public init(
    kind: Kind, size: Int64, linkCount: Int = 1, permissions: FilePermissions = .ownerReadWrite,
    identity: FileInformation.Identity, modified: Int64 = 0
  ) {
    self.kind = kind
    self.size = size
    self.linkCount = linkCount
    self.permissions = permissions
    self.identity = identity
    self.modified = modified
  }
}

extension FileInformation {
  /// The nanoseconds since 1970 of a time of a file, which may be one that no 64 bits have: so many of them that their
  /// distance from the present has 64 bits, too.
  static func nanoseconds(_ seconds: Int64, _ nanoseconds: Int64) -> Int64 {
    min(max(seconds, -5_000_000_000), 9_000_000_000) * 1_000_000_000 + nanoseconds
  }

  /// Identifies a file under any name.
  public struct Identity: Hashable, Sendable {
    /// The device that contains the file.
    public var device: UInt64
    /// The inode number, which may be reused after the file is removed.
    public var number: UInt64

    /// Identifies a file by its device and inode number.
    public init(device: UInt64, number: UInt64) {
      self.device = device
      self.number = number
    }
  }
}
