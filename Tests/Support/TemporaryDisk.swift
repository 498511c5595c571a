import KeepsakeBase
package import SystemPackage

/// A small disk of one test's own.
package struct TemporaryDisk {
  /// Where the disk is mounted.
  package let root: FilePath

  /// Runs a body with a disk, where one can be mounted.
  package static func with(size: String, _ body: (TemporaryDisk) throws -> Void) throws {
    #if os(Linux)
    try withTemporaryFolder { root in
      guard mount("none", root.string, "tmpfs", 0, "size=\(size)") == 0 else {
        print("skipped: no disk can be mounted here (\(Errno(rawValue: errno)))")
        return
      }
      defer { umount2(root.string, Int32(MNT_DETACH)) }
      try body(TemporaryDisk(root: root))
    }
    #else
    print("skipped: no disk can be mounted here")
    #endif
  }

  /// Fills the disk to its last byte.
  package func fill() throws {
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
  package func empty() throws {
    unlink(root.appending("filler").string)
  }

  /// Makes the disk read-only.
  package func protect() throws {
    #if os(Linux)
    if mount("none", root.string, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
      throw Errno(rawValue: errno)
    }
    #endif
  }
}
