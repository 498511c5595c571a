import KeepsakeBase
package import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A small disk for one test.
package struct TemporaryDisk {
  /// The file system of a disk; all but the first are in an image behind a loop device.
  package enum Format: String, CaseIterable {
    case tmpfs, ext4, xfs, btrfs

    /// The format for this run; `Scripts/check-disks` sets it in `KEEPSAKE_TEST_DISK`.
    package static let current =
      ProcessInfo.processInfo.environment["KEEPSAKE_TEST_DISK"].flatMap(Format.init) ?? .tmpfs

    /// The command that creates it in an image of about the smallest possible size, with few files.
    var makeCommand: (megabytes: Int, command: String) {
      switch self {
      case .tmpfs: (0, "true")
      case .ext4: (16, "mkfs.ext4 -q -F -m 0 -N 1024")
      case .xfs: (300, "mkfs.xfs -q -f -i maxpct=1")
      case .btrfs: (128, "mkfs.btrfs -q -f")
      }
    }
  }

  /// Where the disk is mounted.
  package let root: FilePath

  /// Runs a body with a disk, if one can be mounted.
  ///
  /// - Parameter size: The size of a disk in memory; the others are as small as possible.
  package static func with(size: String, _ body: (TemporaryDisk) throws -> Void) throws {
    #if os(Linux)
    try withTemporaryDirectory { directory in
      let root = directory.appending("disk")
      let image = directory.appending("image")
      try createDirectory(root)
      let format = Format.current
      if format == .tmpfs {
        guard mount("none", root.string, "tmpfs", 0, "size=\(size),nr_inodes=1024") == 0 else {
          print("skipped: no disk can be mounted here (\(Errno(rawValue: errno)))")
          return
        }
      } else {
        guard makeImage(image, of: format) && mountImage(image, at: root) else {
          print("skipped: no image of \(format) can be made and mounted here")
          return
        }
      }
      defer { umount2(root.string, Int32(MNT_DETACH)) }
      try body(TemporaryDisk(root: root))
    }
    #else
    print("skipped: no disk can be mounted here")
    #endif
  }

  // MARK: Full disks

  private var filler: FilePath { root.appending("filler") }

  /// Fills the disk to its last byte.
  ///
  /// - Parameter directory: The directory to fill, if it has its own limit.
  package func fill(_ directory: FilePath? = nil) throws {
    let filler = directory?.appending("filler") ?? filler
    try createDirectory(filler)
    var hasWritten = true
    // A flush may return some of the space that a write reserved.
    while hasWritten {
      hasWritten = false
      for size in [1 << 20, 4096, 1] {
        let bytes = [UInt8](repeating: 1, count: size)
        while write(bytes, to: filler.appending("large")) { hasWritten = true }
      }
      synchronize()
    }
  }

  /// Creates empty files until no other can be created, if their number is limited.
  ///
  /// - Returns: Whether there is a limit.
  package func fillWithNames() throws -> Bool {
    if Format.current == .btrfs { return false }
    try createDirectory(filler)
    var files = 0
    while write([], to: filler.appending("\(files)")) { files += 1 }
    return true
  }

  /// Frees the space again.
  package func empty(_ directory: FilePath? = nil) throws {
    let filler = directory?.appending("filler") ?? filler
    // Btrfs may refuse to remove a name if it has no space for metadata.
    truncate(filler.appending("large").string, 0)
    synchronize()
    try FileManager.default.removeItem(atPath: filler.string)
    synchronize()
  }

  /// Creates a directory in which no more than a number of megabytes can be written.
  ///
  /// - Returns: The directory; `nil` if this file system has no such limit for the superuser.
  package func makeLimitedDirectory(megabytes: Int) -> FilePath? {
    let directory = root.appending("limited")
    let commands = [
      "btrfs quota enable \(root)", "btrfs subvolume create \(directory)",
      "btrfs qgroup limit \(megabytes)m \(directory)",
    ]
    return Format.current == .btrfs && commands.allSatisfy(runCommand) ? directory : nil
  }

  /// Makes the disk read-only.
  package func protect() throws {
    #if os(Linux)
    if mount("none", root.string, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
      throw Errno(rawValue: errno)
    }
    #endif
  }

  private func write(_ bytes: [UInt8], to path: FilePath) -> Bool {
    guard
      let file = try? FileDescriptor.open(
        path, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    else { return false }
    return (try? file.closeAfter { try file.writeAll(bytes) }) != nil
  }

  /// Flushes the kernel's caches to the disk.
  private func synchronize() { _ = runCommand("sync --file-system \(root)") }

  // MARK: Images

  /// Makes a sparse image, which occupies only what is written to it.
  static func makeImage(_ image: FilePath, of format: Format) -> Bool {
    let (megabytes, command) = format.makeCommand
    return runCommand(
      "truncate --size \(megabytes)M \(image) && \(command) \(image) && fallocate --dig-holes \(image)"
    )
  }

  /// Mounts an image through a loop device that ends with the mount.
  static func mountImage(_ image: FilePath, at root: FilePath) -> Bool {
    runCommand("mount -o loop \(image) \(root)")
  }
}

/// Creates a directory unless it exists.
func createDirectory(_ path: FilePath) throws {
  try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
}

/// Runs a shell command and discards its output.
///
/// - Returns: Whether it succeeded.
package func runCommand(_ command: String) -> Bool {
  system("{ \(command); } >/dev/null 2>&1") == 0
}
