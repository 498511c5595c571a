import Foundation
import Glibc
import Keepsake
import SystemPackage

/// Files replaced by system calls alone: what the kernel asks for the least that a save must do to
/// survive a power cut.
final class RawFiles: Sendable {
  private let directory: String

  init(directory: String) throws {
    self.directory = directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// Replaces one file: write, flush, rename, flush of the directory.
  func replace(_ name: String, with bytes: [UInt8]) throws {
    let new = try write(bytes, to: ".\(name).new", flushes: true)
    try check(rename(new, "\(directory)/\(name)") == 0)
    try flushDirectory()
  }

  /// Replaces one file as ``replace(_:with:)-(String,_)`` does, and keeps the last ten contents under other names, as a store of
  /// documents does.
  ///
  /// - Parameter number: One more at each call.
  func replace(_ name: String, with bytes: [UInt8], keepingVersion number: Int) throws {
    let new = try write(bytes, to: ".\(name).new", flushes: true)
    let path = "\(directory)/\(name)"
    if number > 0 {
      try check(link(path, version(number)) == 0)
    } else {
      mkdir("\(directory)/Versions", 0o700)
    }
    if number > 10 { try check(unlink(version(number - 10)) == 0) }
    try check(rename(new, path) == 0)
    try flushDirectory()
  }

  private func version(_ number: Int) -> String { "\(directory)/Versions/\(number)" }

  /// Replaces files with the flushes of one: all writes, one flush of the file system, all renames,
  /// one flush of the directory.
  func replace(_ files: [(name: String, bytes: [UInt8])]) throws {
    let new = try files.map { try write($0.bytes, to: ".\($0.name).new", flushes: false) }
    try LocalFileSystem().synchronizeAll(at: FilePath(directory))
    for (new, file) in zip(new, files) { try check(rename(new, "\(directory)/\(file.name)") == 0) }
    try flushDirectory()
  }

  /// How many files there are.
  func count() throws -> Int {
    guard let stream = opendir(directory) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { closedir(stream) }
    // Without the directory itself and its parent.
    var count = -2
    while readdir(stream) != nil { count += 1 }
    return count
  }

  private func write(_ bytes: [UInt8], to name: String, flushes: Bool) throws -> String {
    let path = "\(directory)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try check(descriptor >= 0)
    defer { close(descriptor) }
    try check(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    if flushes { try check(fsync(descriptor) == 0) }
    return path
  }

  private func flushDirectory() throws {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    try check(fsync(descriptor) == 0)
  }

  private func check(_ succeeded: Bool) throws {
    if !succeeded { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}
