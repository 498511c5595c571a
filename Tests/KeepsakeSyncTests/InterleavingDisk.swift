import KeepsakeBase
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage

/// Does something else between two calls of one process; not while that holds a lock, which would be waited for.
final class InterleavingDisk: ForwardingFileSystem {
  private struct State {
    /// How many calls are left until then.
    var callCount: Int
    var heldLocks = 0
    var body: (@Sendable () -> Void)?
    var isEnded = false
  }

  let base: SimulatedDisk
  private let state: Mutex<State>
  private let endsThen: Bool

  /// - Parameters:
  ///   - callCount: How many calls are made before.
  ///   - endsThen: Whether the process makes no more calls after it.
  init(
    base: SimulatedDisk, after callCount: Int, endsThen: Bool,
    _ body: @escaping @Sendable () -> Void
  ) {
    self.base = base
    self.endsThen = endsThen
    state = Mutex(State(callCount: callCount, body: body))
  }

  /// Whether it was done.
  var isDone: Bool { state.withLock { $0.body == nil } }

  private func call(_ operation: FileError.Operation, _ path: FilePath) throws(FileError) {
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      state.callCount -= 1
      if state.callCount >= 0 || state.heldLocks > 0 { return nil }
      defer { state.body = nil }
      return state.body
    }
    if let body {
      body()
      if endsThen { state.withLock { $0.isEnded = true } }
    }
    if state.withLock({ $0.isEnded }) { throw FileError(operation, path, .ioError) }
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    try call(.open, path)
    return try base.open(path, mode)
  }

  func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try call(.examine, path)
    return try base.information(at: path)
  }

  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try call(.rename, path)
    try base.rename(path, to: newPath)
  }

  func remove(_ path: FilePath) throws(FileError) {
    try call(.remove, path)
    try base.remove(path)
  }

  func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    try call(.synchronize, path)
    try base.synchronizeDirectory(path)
  }

  func synchronizeAll(at directory: FilePath) throws(FileError) {
    try call(.synchronize, directory)
    try base.synchronizeAll(at: directory)
  }

  func lock(at path: FilePath) throws(FileError) -> any FileLock {
    Lock(base: try base.lock(at: path), disk: self)
  }

  private final class Lock: FileLock {
    let base: any FileLock
    let disk: InterleavingDisk

    init(base: any FileLock, disk: InterleavingDisk) {
      self.base = base
      self.disk = disk
    }

    func announceUser() throws(FileError) { try base.announceUser() }

    var hasOtherUsers: Bool { get throws(FileError) { try base.hasOtherUsers } }

    func acquire(_ part: Int, timeout: Duration) throws(FileError) {
      try disk.call(.lock, "/documents")
      try base.acquire(part, timeout: timeout)
      disk.state.withLock { $0.heldLocks += 1 }
    }

    func isHeldElsewhere(_ part: Int) throws(FileError) -> Bool { try base.isHeldElsewhere(part) }

    func release(_ part: Int) {
      disk.state.withLock { $0.heldLocks -= 1 }
      base.release(part)
    }
  }
}
