import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import Synchronization
import SystemPackage

/// A simulated disk that does something else first when a folder is to be flushed.
final class InterruptedDisk: ForwardingFileSystem {
  private struct Next: Sendable {
    var interruption: (@Sendable () -> Void)?
    var isRefused = false
  }

  let base: SimulatedDisk
  private let next = Mutex(Next())

  init(_ base: SimulatedDisk) { self.base = base }

  /// Does something before the next flush of a folder.
  func beforeNextFolderFlush(_ interruption: @escaping @Sendable () -> Void) {
    next.withLock { $0.interruption = interruption }
  }

  /// Lets the next flush of a folder fail.
  func refuseNextFolderFlush() { next.withLock { $0.isRefused = true } }

  func synchronizeFolder(_ path: FilePath) throws(FileError) {
    let next = next.withLock { next in
      defer { next = Next() }
      return next
    }
    next.interruption?()
    if next.isRefused { throw FileError(.synchronize, path, .ioError) }
    try base.synchronizeFolder(path)
  }
}
