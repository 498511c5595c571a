import Dispatch
import KeepsakeFiles
package import SystemPackage

/// Something that was waited for did not happen within a minute.
package struct NeverHappened: Error {}

/// Waits until something is so of a directory's files, looking whenever they change.
package func waitUntil(in directory: FilePath, _ isSo: () throws -> Bool) throws {
  let change = DispatchSemaphore(value: 0)
  let watch = try LocalFileSystem().watch(directory: directory) { change.signal() }
  defer { withExtendedLifetime(watch) {} }
  for _ in 0..<600 {
    if try isSo() { return }
    // A write in place is heard of only when its file is closed.
    _ = change.wait(timeout: .now() + .milliseconds(100))
  }
  throw NeverHappened()
}
