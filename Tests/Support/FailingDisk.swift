import KeepsakeBase
package import SystemPackage

/// A disk whose writes fail when its image, which is in memory, cannot grow.
package struct FailingDisk {
  /// Where the disk is mounted.
  package let root: FilePath
  /// Where the memory file system that contains the image is mounted.
  private let memory: FilePath

  private var image: FilePath { memory.appending("image") }
  private var filler: FilePath { memory.appending("filler") }

  /// Runs a body with a disk, if one can be mounted.
  package static func with(_ body: (FailingDisk) throws -> Void) throws {
    #if os(Linux)
    try withTemporaryDirectory { directory in
      let disk = FailingDisk(
        root: directory.appending("disk"), memory: directory.appending("memory"))
      for path in [disk.root, disk.memory] { try createDirectory(path) }
      guard mount("none", disk.memory.string, "tmpfs", 0, "size=100m") == 0 else {
        print("skipped: no disk can be mounted here (\(Errno(rawValue: errno)))")
        return
      }
      defer { umount2(disk.memory.string, Int32(MNT_DETACH)) }
      let format = TemporaryDisk.Format.current
      guard TemporaryDisk.makeImage(disk.image, of: format),
        TemporaryDisk.mountImage(disk.image, at: disk.root), disk.limitRequests()
      else {
        print("skipped: no image of \(format) can be made and mounted here")
        return
      }
      defer { umount2(disk.root.string, Int32(MNT_DETACH)) }
      try body(disk)
    }
    #else
    print("skipped: no disk can be mounted here")
    #endif
  }

  /// Limits every write to the image to one page: for a longer one, the loop device reports success
  /// even if memory runs out within it.
  private func limitRequests() -> Bool {
    runCommand(
      """
      device=$(findmnt --noheadings --output SOURCE \(root)) &&
        echo 4 >/sys/block/${device#/dev/}/queue/max_sectors_kb
      """)
  }

  /// Leaves space for only the given number of new bytes.
  package func limit(toBytes room: Int) throws {
    #if os(Linux)
    var information = statvfs()
    guard statvfs(memory.string, &information) == 0 else { throw Errno(rawValue: errno) }
    let free = Int(information.f_bavail) * Int(information.f_frsize)
    let file = try FileDescriptor.open(
      filler, .writeOnly, options: [.create], permissions: .ownerReadWrite)
    let code = try file.closeAfter { posix_fallocate(file.rawValue, 0, off_t(free - room)) }
    if code != 0 { throw Errno(rawValue: code) }
    #endif
  }

  /// Flushes the kernel's caches to the disk, whether that succeeds or not.
  package func synchronize() { _ = runCommand("sync --file-system \(root)") }

  /// Unmounts the disk, frees space for its image and mounts it again.
  package func repair() throws {
    #if os(Linux)
    var attempts = 100
    while umount2(root.string, 0) != 0 {
      attempts -= 1
      if errno != EBUSY || attempts == 0 { throw Errno(rawValue: errno) }
      usleep(100_000)
    }
    unlink(filler.string)
    if !TemporaryDisk.mountImage(image, at: root) { throw Errno.ioError }
    #endif
  }
}
