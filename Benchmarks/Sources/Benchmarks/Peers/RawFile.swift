import Foundation
import Glibc

/// A file that is written by system calls alone: what the kernel asks for the least that a store of
/// its kind does.
final class RawFile: Sendable {
  private static let record = [UInt8](repeating: 0x4B, count: 64)
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  /// Adds 64 bytes.
  func append() throws {
    let count = Self.record.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    try check(count == 64)
  }

  /// Adds 64 bytes, and asks where they end.
  func appendAndSeek() throws {
    try append()
    try check(lseek(descriptor, 0, SEEK_CUR) >= 0)
  }

  /// Adds a number.
  func append(_ number: Int) throws {
    try check(withUnsafeBytes(of: number) { write(descriptor, $0.baseAddress, $0.count) } == 8)
  }

  func lock() throws { try check(flock(descriptor, LOCK_EX) == 0) }
  func unlock() throws { try check(flock(descriptor, LOCK_UN) == 0) }
  func flush() throws { try check(fdatasync(descriptor) == 0) }
  func empty() throws { try check(ftruncate(descriptor, 0) == 0) }

  private func check(_ succeeded: Bool) throws {
    if !succeeded { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}
