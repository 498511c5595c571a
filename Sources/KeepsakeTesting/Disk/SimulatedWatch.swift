import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// A watch on a directory of a simulated disk.
final class SimulatedWatch: FileWatch {
  let directory: Int
  /// The changes that the handler has not been called for.
  private let pending = Mutex<DirectoryChanges?>(nil)
  private let handler: @Sendable (DirectoryChanges) -> Void

  init(directory: Int, _ handler: @escaping @Sendable (DirectoryChanges) -> Void) {
    self.directory = directory
    self.handler = handler
  }

  /// Adds a file to the pending changes.
  func note(_ name: FilePath.Component) {
    pending.withLock { pending in
      var changes = pending ?? .names([])
      pending = nil
      changes.insert(name)
      pending = changes
    }
  }

  /// Calls the handler if there are pending changes.
  func notify() {
    let changes = pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
    if let changes { handler(changes) }
  }
}
