import KeepsakeBase
import SystemPackage

#if os(Linux) || os(Android)
import CSystemCalls
#elseif canImport(Darwin)
import Darwin
#endif

/// An identifier in an extended attribute of a directory, which moves with it to another disk.
enum DirectoryMarker {
  #if canImport(Darwin)
  private static let attribute = "keepsake.bookmark"
  #else
  private static let attribute = "user.keepsake.bookmark"
  #endif
  private static let length = 32

  /// The directory's marker, or `nil` if it has none.
  static func read(_ descriptor: FileDescriptor) -> String? {
    var bytes = [UInt8](repeating: 0, count: length + 1)
    #if canImport(Darwin)
    let count = fgetxattr(descriptor.rawValue, attribute, &bytes, bytes.count, 0, 0)
    #else
    let count = keepsake_get_attribute(
      descriptor.rawValue, attribute, &bytes, UInt(bytes.count))
    #endif
    guard count == length else { return nil }
    let text = String(decoding: bytes[..<length], as: UTF8.self)
    return text.allSatisfy(\.isHexDigit) ? text : nil
  }

  /// Adds a marker to a directory, unless it has one.
  ///
  /// - Returns: The marker, or `nil` if it cannot be set: this user may not change the directory, or its
  ///   file system has no attributes.
  static func add(to descriptor: FileDescriptor) -> String? {
    if let known = read(descriptor) { return known }
    let marker = Hexadecimal.random(byteCount: 16)
    #if canImport(Darwin)
    let code = fsetxattr(descriptor.rawValue, attribute, marker, length, 0, XATTR_CREATE)
    #else
    let code = keepsake_add_attribute(
      descriptor.rawValue, attribute, marker, UInt(length))
    #endif
    // Another process may have set one first.
    return code == 0 ? marker : read(descriptor)
  }
}
