import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// A lock on a simulated disk; a process's death, its release, releases all of its parts.
final class SimulatedLock: FileLock {
  /// All locks of one file; it ends with the last of them, as the kernel's do.
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

  /// Waits only where another thread holds the lock, for no time passes on a simulated disk.
  func acquire(_ part: Int, timeout: Duration) throws(FileError) {
    try disk.call(.lock, path) { (_, _) in }
    let identity = ObjectIdentifier(self)
    let deadline = ContinuousClock.now + timeout
    while true {
      let isAcquired = owners.holders.withLock { holders in
        if holders[part] != nil { return false }
        holders[part] = identity
        return true
      }
      if isAcquired { return }
      if ContinuousClock.now >= deadline {
        throw FileError(.lock, path, .resourceBusy, effect: "another holds it; nothing was changed")
      }
      sched_yield()
    }
  }

  func release(_ part: Int) {
    owners.holders.withLock { $0[part] = nil }
  }
}
