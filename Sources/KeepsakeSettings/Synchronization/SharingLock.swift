import KeepsakeFiles

/// The lock of the process that keeps settings in agreement with those of other machines.
package final class SharingLock: Sendable {
  private let lock: any FileLock

  init(_ lock: any FileLock) {
    self.lock = lock
  }

  /// Acquires it, unless another process holds it.
  package func acquire() -> Bool {
    do throws(FileError) {
      try lock.acquire(SettingsFile.LockPart.sharing, timeout: .zero)
      return true
    } catch {
      return false
    }
  }
}
