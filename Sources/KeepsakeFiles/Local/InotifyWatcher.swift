#if os(Linux) || os(Android)
import KeepsakeBase
import SystemPackage

/// Hears of changes from the kernel (inotify(7)) on one thread for the whole process.
///
/// Where the kernel has no watch to give, or cannot tell what happened (its queue overflowed),
/// nothing is missed: the first is polled for, after the second every handler looks for itself.
final class InotifyWatcher: Sendable {
  private struct State {
    /// The kernel's queue, made with the first watch; -1 where it has none to give.
    var descriptor: Int32?
    /// Handlers by the kernel's number for what they watch: one for a file, however often it
    /// is watched.
    var handlers: [Int32: [Int: @Sendable () -> Void]] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let polling = PollingWatcher()

  func watch(
    _ path: FilePath, for events: FileEvents, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    let mask =
      switch events {
      case .bytes: IN_MODIFY
      case .names:
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MOVE_SELF
          | IN_DELETE_SELF
      }
    let added = state.withLock { state -> Result<(Int32, Int), FileError> in
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
      // IN_MASK_ADD: a file that is watched for two reasons is told of for both.
      let number = path.withPlatformString {
        inotify_add_watch(descriptor, $0, UInt32(mask) | UInt32(IN_MASK_ADD))
      }
      if number < 0 { return .failure(FileError(.watch, path, .current)) }
      let key = state.next
      state.next += 1
      state.handlers[number, default: [:]][key] = handler
      return .success((number, key))
    }
    switch added {
    case .success(let (number, key)):
      return Watch { [self] in remove(key, of: number) }
    case .failure(let error):
      let limits: [Errno] = [.noSpace, .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory]
      guard limits.contains(error.code) else { throw error }
      return try polling.watch(path, for: events, handler)
    }
  }

  private func remove(_ key: Int, of number: Int32) {
    state.withLock { state in
      state.handlers[number]?[key] = nil
      if state.handlers[number]?.isEmpty == true {
        state.handlers[number] = nil
        inotify_rm_watch(state.descriptor ?? -1, number)
      }
    }
  }

  private func run(_ descriptor: Int32) {
    let size = 64 * 1024
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    while true {
      let count = read(descriptor, buffer.baseAddress, size)
      if count <= 0 {
        if errno == EINTR { continue }
        return
      }
      for handler in handlers(for: UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        handler()
      }
    }
  }

  /// The handlers of all that some events tell of, each once.
  private func handlers(for events: UnsafeRawBufferPointer) -> [@Sendable () -> Void] {
    var numbers: Set<Int32> = []
    var overflowed = false
    var offset = 0
    while offset + MemoryLayout<inotify_event>.size <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { overflowed = true }
      numbers.insert(event.wd)
      offset += MemoryLayout<inotify_event>.size + Int(event.len)
    }
    return state.withLock { state in
      (overflowed ? Array(state.handlers.keys) : Array(numbers))
        .flatMap { state.handlers[$0].map { Array($0.values) } ?? [] }
    }
  }
}
#endif
