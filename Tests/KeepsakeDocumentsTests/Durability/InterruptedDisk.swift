import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage

/// A simulated disk that does something else first when a directory is to be flushed, or when another
/// call is made that a test waits for.
final class InterruptedDisk: ForwardingFileSystem {
  private struct Next: Sendable {
    var interruption: (@Sendable () -> Void)?
    var refusals = 0
  }

  private struct Awaited: Sendable {
    let operation: FileError.Operation
    let isMeant: @Sendable (FilePath) -> Bool
    let interruption: @Sendable () -> Void
  }

  let base: SimulatedDisk
  private let next = Mutex(Next())
  private let awaited = Mutex<Awaited?>(nil)

  init(_ base: SimulatedDisk) { self.base = base }

  /// Does something before the next flush of a directory.
  func beforeNextDirectoryFlush(_ interruption: @escaping @Sendable () -> Void) {
    next.withLock { $0.interruption = interruption }
  }

  /// Lets the next flushes of a directory fail.
  func refuseNextDirectoryFlushes(_ count: Int = 1) { next.withLock { $0.refusals = count } }

  /// Does something before the next call of a kind to a path that is meant.
  func beforeNext(
    _ operation: FileError.Operation, of isMeant: @escaping @Sendable (FilePath) -> Bool,
    _ interruption: @escaping @Sendable () -> Void
  ) {
    awaited.withLock {
      $0 = Awaited(operation: operation, isMeant: isMeant, interruption: interruption)
    }
  }

  /// Does something before the next call of a kind to a file of the directory of cards.
  func beforeNext(
    _ operation: FileError.Operation, of name: String,
    _ interruption: @escaping @Sendable () -> Void
  ) {
    beforeNext(operation, of: { $0 == Directory.path.appending(name) }, interruption)
  }

  private func interrupt(_ operation: FileError.Operation, _ path: FilePath) {
    let now = awaited.withLock { awaited -> Awaited? in
      guard let next = awaited, next.operation == operation, next.isMeant(path) else {
        return nil
      }
      defer { awaited = nil }
      return next
    }
    now?.interruption()
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    interrupt(.open, path)
    return try base.open(path, mode)
  }

  func information(at path: FilePath) throws(FileError) -> FileInformation? {
    interrupt(.examine, path)
    return try base.information(at: path)
  }

  func contents(ofDirectory path: FilePath) throws(FileError) -> [String] {
    interrupt(.list, path)
    return try base.contents(ofDirectory: path)
  }

  func createDirectory(_ path: FilePath) throws(FileError) {
    interrupt(.createDirectory, path)
    try base.createDirectory(path)
  }

  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    interrupt(.rename, path)
    try base.rename(path, to: newPath)
  }

  func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    let next = next.withLock { next in
      defer { next = Next(refusals: max(0, next.refusals - 1)) }
      return next
    }
    next.interruption?()
    if next.refusals > 0 { throw FileError(.synchronize, path, .ioError) }
    try base.synchronizeDirectory(path)
  }
}
