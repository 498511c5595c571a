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
  /// As many as the keys made from them have.
  static let minimumCount = 32

  static func read(keyFile path: FilePath, in files: any FileSystem) throws(SecretError) -> [UInt8]
  {
    let found: FileInformation?
    let bytes: [UInt8]?
    do throws(FileError) {
      found = try files.information(at: path)
      bytes = try files.readFile(at: path)
    } catch {
      throw SecretError(.keyUnavailable, "the key file cannot be read", file: path, cause: error)
    }
    guard let found, let bytes else {
      throw SecretError(
        .keyUnavailable, "the key file is not there; the store stays closed, and as it is",
        file: path)
    }
    let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
    guard found.permissions.isDisjoint(with: others) else {
      throw SecretError(
        .keyUnavailable, "the key file is open to other users; make it its owner's alone (0600)",
        file: path)
    }
    return try checked(bytes, path)
  }

  static func read(
    credential name: String, directory: FilePath?, in files: any FileSystem
  ) throws(SecretError) -> [UInt8] {
    guard
      let directory = directory
        ?? ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"].map({ FilePath($0) })
    else {
      throw SecretError(
        .keyUnavailable,
        "the service manager handed over no credentials (CREDENTIALS_DIRECTORY is not set)")
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

  /// Makes a key file where there is none.
  static func create(_ path: FilePath, in files: any FileSystem) throws(FileError) {
    if try files.information(at: path) != nil { return }
    let directory = path.removingLastComponent()
    if !directory.isEmpty { try files.createDirectories(directory) }
    // Of two that make one, the slower must not put its own in the place of the other's.
    let name = path.lastComponent?.string ?? ""
    let lock = try files.lock(at: directory.appending(".\(name).lock"))
    try lock.acquire()
    defer { lock.release() }
    if try files.information(at: path) != nil { return }
    let digits = Hexadecimal.random(byteCount: minimumCount)
    try files.replaceFile(at: path, with: Array("\(digits)\n".utf8))
  }

  private static func checked(_ bytes: [UInt8], _ path: FilePath) throws(SecretError) -> [UInt8] {
    guard bytes.count >= minimumCount else {
      throw SecretError(
        .keyUnavailable, "the key has \(bytes.count) bytes; it needs \(minimumCount) or more",
        file: path)
    }
    return bytes
  }
}
#endif
