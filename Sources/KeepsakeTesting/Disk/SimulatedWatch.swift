import KeepsakeBase
import KeepsakeFiles

/// A watch on a folder of a simulated disk.
final class SimulatedWatch: FileWatch {
  let folder: Int
  /// Whether something changed of which the handler was not told.
  let hasNews = Atomic(false)
  let handler: @Sendable () -> Void

  init(folder: Int, _ handler: @escaping @Sendable () -> Void) {
    self.folder = folder
    self.handler = handler
  }
}
