import Dispatch
import KeepsakeFiles
package import SystemPackage

/// Something that was waited for did not happen within a minute.
package struct NeverHappened: Error {}

/// Waits until something is so of a folder's files, looking whenever they change.
package func waitUntil(in folder: FilePath, _ isSo: () throws -> Bool) throws {
  let change = DispatchSemaphore(value: 0)
  let watch = try LocalFileSystem().watch(folder: folder) { change.signal() }
  defer { withExtendedLifetime(watch) {} }
  for _ in 0..<600 {
    if try isSo() { return }
    // A write in place is heard of only when its file is closed.
    _ = change.wait(timeout: .now() + .milliseconds(100))
  }
  throw NeverHappened()
}
