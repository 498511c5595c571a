import KeepsakeBase
package import SystemPackage

/// An open file of this machine, closed when it is released.
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
