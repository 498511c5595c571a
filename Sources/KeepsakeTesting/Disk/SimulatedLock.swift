import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// A lock on a simulated disk; its deinitialization, like a process's death, releases all parts.
final class SimulatedLock: FileLock {
  /// The state that all locks of one file share; freed with the last of them, as in the kernel.
  final class Owners: Sendable {
    let holders = Mutex<[Int: ObjectIdentifier]>([:])
    let users = Mutex<Set<ObjectIdentifier>>([])
  }

  private let disk: SimulatedDisk
  private let path: FilePath
  private let owners: Owners

  init(disk: SimulatedDisk, path: FilePath, owners: Owners) {
    self.disk = disk
    self.path = path
    self.owners = owners
  }

  deinit {
    owners.users.withLock { _ = $0.remove(ObjectIdentifier(self)) }
    owners.holders.withLock { holders in
      holders = holders.filter { $0.value != ObjectIdentifier(self) }
    }
  }

  func announceUser() throws(FileError) {
    try disk.call(.lock, path) { (_, _) in }
    owners.users.withLock { _ = $0.insert(ObjectIdentifier(self)) }
  }

  var hasOtherUsers: Bool {
    get throws(FileError) {
      try disk.call(.lock, path) { (_, _) in }
      return owners.users.withLock { $0.contains { $0 != ObjectIdentifier(self) } }
    }
  }

  /// Waits until the timeout; under an ``InterleavingExplorer``, for two more attempts.
  func acquire(_ part: Int, timeout: Duration) throws(FileError) {
    let identity = ObjectIdentifier(self)
    let deadline = ContinuousClock.now + timeout
    var attempts = timeout == .zero ? 1 : 3
    while true {
      try disk.call(.lock, path) { (_, _) in }
      let isAcquired = owners.holders.withLock { holders in
        if holders[part] != nil { return false }
        holders[part] = identity
        return true
      }
      if isAcquired { return }
      attempts -= 1
      let hasTimedOut =
        disk.beforeCall.withLock { $0 != nil } ? attempts == 0 : ContinuousClock.now >= deadline
      if hasTimedOut {
        throw FileError(.lock, path, .resourceBusy, effect: "it is in use")
      }
      sched_yield()
    }
  }

  func isHeldElsewhere(_ part: Int) throws(FileError) -> Bool {
    try disk.call(.lock, path) { (_, _) in }
    return owners.holders.withLock { $0[part].map { $0 != ObjectIdentifier(self) } ?? false }
  }

  func release(_ part: Int) {
    owners.holders.withLock { $0[part] = nil }
  }
}
