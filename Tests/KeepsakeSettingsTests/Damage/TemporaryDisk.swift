import KeepsakeTestSupport
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A small disk of one test's own.
struct TemporaryDisk {
  let root: FilePath

  /// Runs a body with a disk, where one can be mounted.
  static func with(size: String, _ body: (TemporaryDisk) throws -> Void) throws {
    try withTemporaryFolder { root in
      guard mount("none", root.string, "tmpfs", 0, "size=\(size)") == 0 else {
        print("skipped: no disk can be mounted here (\(Errno(rawValue: errno)))")
        return
      }
      defer { umount2(root.string, Int32(MNT_DETACH)) }
      try body(TemporaryDisk(root: root))
    }
  }

  /// Fills the disk to its last byte.
  func fill() throws {
    let file = try FileDescriptor.open(
      root.appending("filler"), .writeOnly, options: [.create, .append],
      permissions: .ownerReadWrite)
    try file.closeAfter {
      for size in [4096, 1] {
        let bytes = [UInt8](repeating: 1, count: size)
        while (try? file.writeAll(bytes)) != nil {}
      }
    }
  }

  /// Makes room again.
  func empty() throws {
    unlink(root.appending("filler").string)
  }

  /// Makes the disk read-only.
  func protect() throws {
    if mount("none", root.string, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
      throw Errno(rawValue: errno)
    }
  }
}
