#if os(Linux) || os(Android)
import KeepsakeBase
import SystemPackage

/// Receives changes from the kernel (inotify(7)) on one thread for the whole process.
///
/// No change is missed if the kernel refuses a watch, which is then replaced by polling, or if its queue
/// overflows, after which every handler is called with ``DirectoryChanges/unknown``.
///
/// A watch on a file's bytes that reports too often is removed for a while, so that a program that
/// writes a million times a second causes at most a thousand events. It is added again before the
/// handler is called.
final class InotifyWatcher: Sendable {
  private struct State {
    /// The kernel's queue, opened with the first watch; -1 if the kernel refused one.
    var descriptor: Int32?
    var watched: [Int: Watched] = [:]
    /// The watches of each kernel watch; the kernel has only one for a file, with any number of users.
    var keys: [Int32: Set<Int>] = [:]
    var next = 0
    /// The process that opened the queue: a forked child shares its parent's.
    var fork = ProcessFork.count
  }

  typealias Handler = @Sendable (DirectoryChanges) -> Bool

  /// One watch.
  private struct Watched {
    let path: FilePath
    let events: FileEvents
    let handler: Handler
    /// The kernel's watch descriptor, while there is one.
    var number: Int32?
    /// How many events may still occur now; one is added each millisecond. A call of a handler that
    /// found nothing new, usually after this process's own change, costs more each time: 4, 8, 16.
    var credit = Watched.maximumCredit
    /// How many calls in a row found nothing new.
    var unchangedCount = 0
    var credited = ContinuousClock.now
    /// When a kernel watch that was removed is added again.
    var due: ContinuousClock.Instant?

    static let maximumCredit = 32
    static let interval = Duration.milliseconds(1)

    /// Uses the credit for one event.
    ///
    /// - Returns: Whether there was enough.
    mutating func spend(_ now: ContinuousClock.Instant) -> Bool {
      let earned = Int((now - credited) / Self.interval)
      if earned > 0 {
        credit = min(Self.maximumCredit, credit + earned)
        credited = now
      }
      if credit <= 0 { return false }
      credit -= 1
      return true
    }

    /// Records whether a handler found a change.
    mutating func record(hasChanged: Bool) {
      unchangedCount = hasChanged ? 0 : min(unchangedCount + 1, 3)
      if unchangedCount > 0 { credit -= (2 << unchangedCount) - 1 }
    }

    /// Schedules the kernel watch to be added again as soon as there is credit.
    mutating func wait(_ now: ContinuousClock.Instant) {
      due = now + Self.interval * (1 - min(credit, 0))
    }
  }

  /// A handler to call.
  private struct Call {
    let key: Int
    let handler: Handler
    let changes: DirectoryChanges
  }

  private let state = Mutex(State())
  private let polling = PollingWatcher()

  func watch(
    _ path: FilePath, for events: FileEvents, _ handler: @escaping Handler
  ) throws(FileError) -> any FileWatch {
    let added = state.withLock { state -> Result<Int, FileError> in
      if state.fork != ProcessFork.count { state = State() }
      if state.descriptor == nil {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        state.descriptor = descriptor
        if descriptor >= 0, !startThread({ [self] in run(descriptor) }) {
          _ = close(descriptor)
          state.descriptor = nil
        }
      }
      guard let descriptor = state.descriptor, descriptor >= 0 else {
        return .failure(FileError(.watch, path, .tooManyOpenFiles))
      }
      let key = state.next
      state.next += 1
      state.watched[key] = Watched(path: path, events: events, handler: handler)
      if let code = Self.arm(key, &state) {
        state.watched[key] = nil
        return .failure(FileError(.watch, path, code))
      }
      return .success(key)
    }
    switch added {
    case .success(let key):
      return Watch(pause: { [self] in pause(key) }) { [self] in remove(key) }
    case .failure(let error):
      let limits: [Errno] = [.noSpace, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory]
      guard limits.contains(error.code) else { throw error }
      return try polling.watch(path, for: events, handler)
    }
  }

  /// Adds a kernel watch.
  ///
  /// - Returns: The error code, or `nil` on success.
  private static func arm(_ key: Int, _ state: inout State) -> Errno? {
    guard let watched = state.watched[key] else { return nil }
    let names = IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF
    let mask =
      switch watched.events {
      case .bytes: UInt32(IN_MODIFY)
      case .names: UInt32(names)
      // IN_CLOSE_WRITE makes every write to a file of the directory slower.
      case .files: UInt32(names | IN_CLOSE_WRITE)
      }
    // IN_MASK_ADD: two watches of the same file add their events.
    let number = watched.path.withPlatformString {
      inotify_add_watch(state.descriptor ?? -1, $0, mask | UInt32(IN_MASK_ADD))
    }
    if number < 0 { return .current }
    state.watched[key]?.number = number
    state.watched[key]?.due = nil
    state.keys[number, default: []].insert(key)
    return nil
  }

  /// Removes the kernel watch, unless another watch uses it.
  private static func disarm(_ key: Int, _ number: Int32, _ state: inout State) {
    state.watched[key]?.number = nil
    state.keys[number]?.remove(key)
    if state.keys[number]?.isEmpty == true {
      state.keys[number] = nil
      inotify_rm_watch(state.descriptor ?? -1, number)
    }
  }

  private func pause(_ key: Int) {
    let now = ContinuousClock.now
    state.withLock { state in
      // Removing the kernel watch is an event itself, which wakes the thread. If another watch used it,
      // it would remain, and so would its events.
      guard state.fork == ProcessFork.count, let number = state.watched[key]?.number,
        state.keys[number]?.count == 1
      else { return }
      Self.disarm(key, number, &state)
      state.watched[key]?.wait(now)
    }
  }

  private func remove(_ key: Int) {
    let watched = state.withLock { state -> Watched? in
      if state.fork != ProcessFork.count { return nil }
      let watched = state.watched.removeValue(forKey: key)
      if let number = watched?.number { Self.disarm(key, number, &state) }
      return watched
    }
    // Released outside the lock, because the handler may own other objects.
    withExtendedLifetime(watched) {}
  }

  private func run(_ descriptor: Int32) {
    let size = 64 * 1024
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    while true {
      let (due, next) = state.withLock { state in Self.armDue(&state) }
      call(due)
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let timeout = next.map { max(1, Int32((($0 - .now) / .milliseconds(1)).rounded(.up))) } ?? -1
      let ready = poll(&request, 1, timeout)
      if ready < 0 && errno != EINTR { return }
      if ready <= 0 { continue }
      let count = read(descriptor, buffer.baseAddress, size)
      if count <= 0 {
        if errno == EINTR { continue }
        return
      }
      call(calls(for: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
    }
  }

  private func call(_ calls: [Call]) {
    for call in calls {
      let hasChanged = call.handler(call.changes)
      state.withLock { $0.watched[call.key]?.record(hasChanged: hasChanged) }
    }
  }

  /// Adds the kernel watches that are due again.
  ///
  /// - Returns: Their handlers, which the caller must call, and when the next watch is due.
  private static func armDue(
    _ state: inout State
  ) -> (calls: [Call], next: ContinuousClock.Instant?) {
    var calls: [Call] = []
    var next: ContinuousClock.Instant?
    let now = ContinuousClock.now
    for (key, watched) in state.watched {
      guard let due = watched.due else { continue }
      if due <= now {
        calls.append(Call(key: key, handler: watched.handler, changes: .unknown))
        _ = state.watched[key]?.spend(now)
        if arm(key, &state) == nil { continue }
        // The file may have been removed, which its handler detects, or the kernel refuses a watch now.
        state.watched[key]?.due = now + .milliseconds(250)
      }
      let new = state.watched[key]?.due ?? due
      next = next.map { min($0, new) } ?? new
    }
    return (calls, next)
  }

  /// The handlers of the watches that some events concern, each once.
  private func calls(for events: UnsafeRawBufferPointer) -> [Call] {
    var reported: [Int32: DirectoryChanges] = [:]
    var ended: [Int32] = []
    var overflowed = false
    var offset = 0
    while offset + MemoryLayout<inotify_event>.size <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { overflowed = true }
      if event.mask & UInt32(IN_IGNORED) != 0 { ended.append(event.wd) }
      if event.len > 0, let name = Self.name(ofEventAt: offset, in: events) {
        reported[event.wd, default: .names([])].insert(name)
      } else {
        // An event of the watched file or directory itself.
        reported[event.wd] = .unknown
      }
      offset += MemoryLayout<inotify_event>.size + Int(event.len)
    }
    let now = ContinuousClock.now
    return state.withLock { state in
      var calls: [Call] = []
      if overflowed { for number in state.keys.keys { reported[number] = .unknown } }
      for (number, changes) in reported {
        for key in state.keys[number] ?? [] {
          guard let watched = state.watched[key] else { continue }
          let isEnded = ended.contains(number)
          if watched.events != .bytes || !isEnded && state.watched[key]?.spend(now) == true {
            calls.append(Call(key: key, handler: watched.handler, changes: changes))
          } else {
            Self.disarm(key, number, &state)
            state.watched[key]?.wait(now)
          }
        }
      }
      return calls
    }
  }

  /// The name of the file that an event reports; its bytes end with a zero.
  private static func name(
    ofEventAt offset: Int, in events: UnsafeRawBufferPointer
  ) -> FilePath.Component? {
    let name = events.baseAddress! + offset + MemoryLayout<inotify_event>.size
    return FilePath.Component(platformString: name.assumingMemoryBound(to: CChar.self))
  }
}
#endif
