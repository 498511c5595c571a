import Dispatch
import KeepsakeFiles
package import SystemPackage

/// The expected condition did not occur within five minutes.
package struct NeverHappened: Error {}

/// Waits until a condition holds, which is checked when a file of the directory changes.
package func waitUntil(in directory: FilePath, _ condition: () throws -> Bool) throws {
  let change = DispatchSemaphore(value: 0)
  let watch = try LocalFileSystem().watch(directory: directory) { _ in change.signal() }
  defer { withExtendedLifetime(watch) {} }
  for _ in 0..<3000 {
    if try condition() { return }
    // A write in place is reported only when its file is closed.
    _ = change.wait(timeout: .now() + .milliseconds(100))
  }
  throw NeverHappened()
}
