import KeepsakeBase
import KeepsakeFiles

/// A watch on a directory of a simulated disk.
final class SimulatedWatch: FileWatch {
  let directory: Int
  /// Whether there are changes that the handler has not been called for.
  let hasPendingChanges = Atomic(false)
  let handler: @Sendable () -> Void

  init(directory: Int, _ handler: @escaping @Sendable () -> Void) {
    self.directory = directory
    self.handler = handler
  }
}
