import Dispatch
import KeepsakeBase
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeFiles

@Suite("File watchers") struct WatcherTests {
  private let files = LocalFileSystem()

  /// The content that a handler read last, and a way to wait for it.
  private final class LatestContent: Sendable {
    private let last = Mutex<[UInt8]?>(nil)
    private let changed = DispatchSemaphore(value: 0)

    func read(_ path: FilePath) {
      let bytes = (try? LocalFileSystem().readFile(at: path)) ?? nil
      last.withLock { $0 = bytes }
      changed.signal()
    }

    /// Waits until the handler has read the given bytes.
    func becomes(_ bytes: [UInt8]) -> Bool {
      while last.withLock({ $0 }) != bytes {
        if changed.wait(timeout: .now() + 60) == .timedOut { return false }
      }
      return true
    }
  }

  @Test("P6: The last change is never missed", arguments: [true, false])
  func lastChange(polls: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      let content = LatestContent()
      let handler: @Sendable (DirectoryChanges) -> Bool = { _ in
        content.read(path)
        return true
      }
      let watch =
        try polls
        ? PollingWatcher().watch(directory, for: .files, handler)
        : InotifyWatcher().watch(directory, for: .files, handler)
      for round in 0..<(polls ? 4 : 50) {
        for part in 0..<20 as Range<UInt8> {
          try files.replaceFile(at: path, with: [UInt8(round), part])
        }
        #expect(content.becomes([UInt8(round), 19]))
      }
      withExtendedLifetime(watch) {}
    }
  }

  @Test("A watch of a directory's names reports new files, not writes")
  func namesInDirectory() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1])
      let changes = DispatchSemaphore(value: 0)
      let watch = try files.watch(namesIn: directory) { _ in changes.signal() }
      let file = try files.open(path, .append)
      for _ in 0..<10 { try file.writeAll([2]) }
      #expect(changes.wait(timeout: .now() + .milliseconds(200)) == .timedOut)
      try files.replaceFile(at: path, with: [3])
      #expect(changes.wait(timeout: .now() + 60) == .success)
      withExtendedLifetime(watch) {}
    }
  }

  @Test("P6: A write during a pause is reported", arguments: [1, 2])
  func pause(watches count: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [])
      let file = try files.open(path, .append)
      let contents = (0..<count).map { _ in LatestContent() }
      let watcher = InotifyWatcher()
      let watches = try contents.map { content in
        try watcher.watch(path, for: .bytes) { content.read(path) }
      }
      for length in 1...50 {
        for watch in watches { watch.pause() }
        try file.writeAll([7])
        for content in contents {
          #expect(content.becomes(Array(repeating: 7, count: length)))
        }
      }
      withExtendedLifetime(watches) {}
    }
  }

  @Test("P6: Nothing is missed when the kernel's queue overflows")
  func queueOverflow() throws {
    try withTemporaryDirectory { directory in
      let (noisy, quiet) = (directory.appending("noisy"), directory.appending("quiet"))
      for directory in [noisy, quiet] { try files.createDirectory(directory) }
      let path = quiet.appending("file")
      let content = LatestContent()
      let isBlocked = DispatchSemaphore(value: 0)
      let resume = DispatchSemaphore(value: 0)
      let isFirst = Atomic<Bool>(true)
      let watcher = InotifyWatcher()
      let watches = try [
        watcher.watch(quiet, for: .files) { content.read(path) },
        watcher.watch(noisy, for: .files) { () -> Void in
          if isFirst.exchange(false, ordering: .relaxed) {
            isBlocked.signal()
            resume.wait()
          }
        },
      ]
      try files.createDirectory(noisy.appending("first"))
      isBlocked.wait()
      // More events than the kernel queues for a blocked watcher: it drops those that follow.
      noisy.appending("other").withPlatformString { other in
        for _ in 0..<20_000 {
          mkdir(other, 0o700)
          rmdir(other)
        }
      }
      try files.replaceFile(at: path, with: [1, 2, 3])
      resume.signal()
      #expect(content.becomes([1, 2, 3]))
      withExtendedLifetime(watches) {}
    }
  }

  @Test("A watch of a file reports writes until it is released") func writesToOneFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [])
      let file = try files.open(path, .append)
      for watcher in [InotifyWatcher() as any Watcher, PollingWatcher()] {
        let notified = DispatchSemaphore(value: 0)
        let first = try watcher.watch(path, for: .bytes) { notified.signal() }
        try file.writeAll([1])
        #expect(notified.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime(first) {}

        let isReleased = Atomic<Bool>(false)
        let calls = Atomic<Int>(0)
        do {
          let second = try watcher.watch(path, for: .bytes) { () -> Void in
            if isReleased.load(ordering: .sequentiallyConsistent) {
              calls.add(1, ordering: .relaxed)
            }
          }
          withExtendedLifetime(second) {}
        }
        isReleased.store(true, ordering: .sequentiallyConsistent)
        let third = try watcher.watch(path, for: .bytes) { notified.signal() }
        try file.writeAll([2])
        #expect(notified.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime(third) {}
        #expect(calls.load(ordering: .relaxed) == 0)
      }
    }
  }

  @Test(
    "Constant writes cause few calls, and the last write is reported",
    arguments: [true, false])
  func callRate(findsChanges: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [])
      let file = try files.open(path, .append)
      let calls = Atomic<Int>(0)
      let size = Atomic<Int>(0)
      let notified = DispatchSemaphore(value: 0)
      let watch = try InotifyWatcher().watch(path, for: .bytes) { _ in
        calls.add(1, ordering: .relaxed)
        let information = (try? LocalFileSystem().information(at: path)) ?? nil
        size.store(Int(information?.size ?? 0), ordering: .relaxed)
        notified.signal()
        return findsChanges
      }
      let start = ContinuousClock.now
      let writes = 100_000
      for _ in 0..<writes { try file.writeAll([1]) }
      while size.load(ordering: .relaxed) < writes {
        #expect(notified.wait(timeout: .now() + 60) == .success)
      }
      // One each millisecond, and a few without delay at the start.
      let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
      #expect(calls.load(ordering: .relaxed) <= milliseconds + 34)
      withExtendedLifetime(watch) {}
    }
  }

  @Test("A polling watcher works again after all its watches are released")
  func pollingAgain() throws {
    try withTemporaryDirectory { directory in
      let watcher = PollingWatcher()
      for round in 0..<3 as Range<UInt8> {
        let path = directory.appending("file")
        let content = LatestContent()
        let watch = try watcher.watch(directory, for: .files) { content.read(path) }
        try files.replaceFile(at: path, with: [round])
        #expect(content.becomes([round]))
        withExtendedLifetime(watch) {}
      }
    }
  }
}

/// What both watchers have in common.
private protocol Watcher {
  func watch(
    _ path: FilePath, for events: FileEvents,
    _ handler: @escaping @Sendable (DirectoryChanges) -> Bool
  ) throws(FileError) -> any FileWatch
}
extension Watcher {
  func watch(
    _ path: FilePath, for events: FileEvents, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try watch(path, for: events) { _ in
      handler()
      return true
    }
  }
}
extension InotifyWatcher: Watcher {}
extension PollingWatcher: Watcher {}
