import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage

/// A disk on which somebody does something right after a card was opened for the first time.
final class MeddledDisk: ForwardingFileSystem {
  let base: SimulatedDisk
  private let meddle: @Sendable () -> Void
  private let isDone = Mutex(false)

  init(base: SimulatedDisk, _ meddle: @escaping @Sendable () -> Void) {
    self.base = base
    self.meddle = meddle
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    guard mode == .read, path.extension == "card" else { return try base.open(path, mode) }
    let isFirst = isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
    let file = try base.open(path, mode)
    if isFirst { meddle() }
    return file
  }
}
