#if Secrets
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of key files and credentials.
enum KeyMaterial {
  /// As many as the keys that are derived from them have.
  static let minimumCount = 32

  /// Reads a key file that only its owner can access.
  ///
  /// All checks are of the open file: one at the path could be exchanged between check and use.
  static func read(keyFile path: FilePath, in files: any FileSystem) throws(SecretError) -> [UInt8]
  {
    let found: (file: any OpenFile, information: FileInformation, bytes: [UInt8])?
    do throws(FileError) {
      found = try files.openAndReadFile(at: path)
    } catch {
      throw SecretError(
        .keyUnavailable, "the key file cannot be read", file: path, cause: error)
    }
    guard let (file, information, bytes) = found else {
      throw SecretError(
        .keyUnavailable,
        "the key file is missing; the store stays closed until it is restored or the right one is named",
        file: path)
    }
    guard information.kind == .file else {
      throw SecretError(.keyUnavailable, "the key file is not a regular file", file: path)
    }
    let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
    guard information.permissions.isDisjoint(with: others) else {
      throw SecretError(
        .keyUnavailable,
        "other users can access the key file; make it accessible only to its owner (0600)",
        file: path)
    }
    if files is LocalFileSystem { try checkOwner(of: file, information.identity) }
    return try checked(bytes, path)
  }

  /// Throws unless an open file belongs to this user or the superuser; the superuser also uses that of
  /// the owner of its directory, as with sudo(8).
  private static func checkOwner(
    of file: any OpenFile, _ identity: FileInformation.Identity
  ) throws(SecretError) {
    var (found, directory) = (stat(), stat())
    // While the file is open, no other file has its identity.
    let isSame = withExtendedLifetime(file) {
      file.path.withPlatformString { lstat($0, &found) } == 0
        && UInt64(truncatingIfNeeded: found.st_dev) == identity.device
        && UInt64(truncatingIfNeeded: found.st_ino) == identity.number
    }
    guard isSame else {
      throw SecretError(
        .keyUnavailable, "the key file was replaced while it was read", file: file.path)
    }
    if found.st_uid == geteuid() || found.st_uid == 0 { return }
    let parent = file.path.removingLastComponent()
    guard geteuid() == 0,
      (parent.isEmpty ? "." : parent).withPlatformString({ stat($0, &directory) }) == 0,
      directory.st_uid == found.st_uid
    else {
      throw SecretError(.keyUnavailable, "the key file belongs to another user", file: file.path)
    }
  }

  /// Reads a credential of the service manager.
  static func read(
    credential name: String, directory: FilePath?, in files: any FileSystem
  ) throws(SecretError) -> [UInt8] {
    guard
      let directory = directory
        ?? ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"].map({ FilePath($0) })
    else {
      throw SecretError(
        .keyUnavailable,
        "the service manager passed no credentials (CREDENTIALS_DIRECTORY is not set)")
    }
    let path = directory.appending(escaping: name)
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try files.readFile(at: path)
    } catch {
      throw SecretError(.keyUnavailable, "the credential cannot be read", file: path, cause: error)
    }
    guard let bytes else {
      throw SecretError(.keyUnavailable, "there is no credential of the name", file: path)
    }
    return try checked(bytes, path)
  }

  /// Creates a key file if there is none; never in place of another one, even if the lock's file is
  /// removed meanwhile.
  static func create(_ path: FilePath, in files: any FileSystem) throws(FileError) {
    if try files.information(at: path) != nil { return }
    let directory = path.removingLastComponent()
    if !directory.isEmpty { try files.createDirectories(directory) }
    // For file systems without hard links, where the replacement below is a rename.
    let name = path.lastComponent?.string ?? ""
    let lock = try files.lock(at: directory.appending(".\(name).lock"))
    try lock.acquire()
    defer { lock.release() }
    let digits = Hexadecimal.random(byteCount: minimumCount)
    var new: FileInformation?
    _ = try files.replaceFile(at: path, ifStill: nil, with: Array("\(digits)\n".utf8), new: &new)
  }

  private static func checked(_ bytes: [UInt8], _ path: FilePath) throws(SecretError) -> [UInt8] {
    guard bytes.count >= minimumCount else {
      throw SecretError(
        .keyUnavailable, "the key has \(bytes.count) bytes; it needs at least \(minimumCount)",
        file: path)
    }
    return bytes
  }
}
#endif
