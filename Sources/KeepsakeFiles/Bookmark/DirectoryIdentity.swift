import KeepsakeBase
import SystemPackage

#if os(Linux) || os(Android)
import CSystemCalls
#endif
/// Identifies a directory under any name. The inode number alone does not: the file system reuses it
/// after the directory was removed.
struct DirectoryIdentity: Hashable, Sendable {
  var number: UInt64
  /// The birth time, in nanoseconds since 1970, if the file system reports it.
  var born: Int64?
  /// The kernel's handle, in hexadecimal digits, if the file system has one.
  var handle: String?

  /// Whether both identify the same directory.
  func matches(_ other: DirectoryIdentity) -> Bool {
    guard number == other.number else { return false }
    if let born, let otherBorn = other.born, born != otherBorn { return false }
    if let handle, let otherHandle = other.handle, handle != otherHandle { return false }
    return born != nil && other.born != nil || handle != nil && other.handle != nil
  }

  /// Reads the identity of an open directory.
  init(of descriptor: FileDescriptor, at path: FilePath) throws(FileError) {
    #if os(Linux) || os(Android)
    var found = keepsake_identity()
    try call(.examine, path) { keepsake_identify(descriptor.rawValue, &found) }
    number = found.number
    let nanoseconds = FileInformation.nanoseconds(
      found.born_seconds, Int64(found.born_nanoseconds))
    born = nanoseconds == 0 ? nil : nanoseconds
    if found.handle_size > 0 {
      let digits = withUnsafeBytes(of: found.handle) {
        Hexadecimal.text(of: $0.prefix(Int(found.handle_size)))
      }
      handle = "\(found.handle_type):\(digits)"
    }
    #elseif canImport(Darwin)
    var found = stat()
    try call(.examine, path) { fstat(descriptor.rawValue, &found) }
    number = UInt64(found.st_ino)
    born = FileInformation.nanoseconds(
      Int64(found.st_birthtimespec.tv_sec), Int64(found.st_birthtimespec.tv_nsec))
    #endif
  }

  init(number: UInt64, born: Int64?, handle: String?) {
    self.number = number
    self.born = born
    self.handle = handle
  }
}
