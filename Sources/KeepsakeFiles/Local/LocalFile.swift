import CSystemCalls
import KeepsakeBase
package import SystemPackage

/// An open file of the local file system, closed when it is released.
package final class LocalFile: OpenFile {
  let descriptor: Int32
  package let path: FilePath

  package init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { _ = close(descriptor) }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    if count < 0 { throw FileError(.read, path, .current) }
    return count
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    let count = writeBytes(descriptor, bytes.baseAddress, bytes.count)
    if count < 0 { throw FileError(.write, path, .current) }
    return count
  }

  package func append(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> (end: Int64, count: Int) {
    // An append sets the open file's offset to the end of its bytes, even if other processes append.
    #if os(Linux) || os(Android)
    var end: Int64 = 0
    let count = keepsake_append(descriptor, bytes.baseAddress, UInt(bytes.count), &end)
    #else
    let count = writeBytes(descriptor, bytes.baseAddress, bytes.count)
    let end = count < 0 ? -1 : Int64(lseek(descriptor, 0, SEEK_CUR))
    #endif
    if count < 0 { throw FileError(.write, path, .current) }
    if end < 0 { throw FileError(.examine, path, .current) }
    return (end, count)
  }

  package var hasAtomicAppends: Bool {
    #if os(Linux) || os(Android)
    switch keepsake_file_system_type(descriptor) {
    case 0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0xF2F5_2010, 0x2FC1_2FC1,
      0x8584_58F6, 0x3153_464A, 0xCA45_1A4E:
      true  // ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS, ramfs, JFS, bcachefs
    default: false
    }
    #else
    // APFS; a network file system cannot be distinguished from it here.
    true
    #endif
  }

  package func truncate(to size: Int64) throws(FileError) {
    try call(.truncate, path) { ftruncate(descriptor, off_t(size)) }
  }

  package func synchronize() throws(FileError) {
    #if canImport(Darwin)
    // fsync(2) on Darwin leaves the bytes in the drive's cache.
    try call(.synchronize, path) { fcntl(descriptor, F_FULLFSYNC) }
    #else
    try call(.synchronize, path) { fdatasync(descriptor) }
    #endif
  }

  package func synchronizeAll() throws(FileError) {
    try call(.synchronize, path) { synchronizeFileSystem(of: descriptor) }
  }

  package func information() throws(FileError) -> FileInformation {
    var status = stat()
    try call(.examine, path) { fstat(descriptor, &status) }
    return FileInformation(status)
  }
}
