import Dispatch
import KeepsakeBase
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeFiles

@Suite("A watcher") struct WatcherTests {
  private let files = LocalFileSystem()

  /// What a handler saw last, and a way to wait for it.
  private final class Sight: Sendable {
    private let last = Mutex<[UInt8]?>(nil)
    private let changed = DispatchSemaphore(value: 0)

    func look(at path: FilePath) {
      let bytes = (try? LocalFileSystem().readFile(at: path)) ?? nil
      last.withLock { $0 = bytes }
      changed.signal()
    }

    /// Waits until the last sight is the one given.
    func isBound(for bytes: [UInt8]) -> Bool {
      while last.withLock({ $0 }) != bytes {
        if changed.wait(timeout: .now() + 60) == .timedOut { return false }
      }
      return true
    }
  }

  @Test("P6: never misses the last change", arguments: [true, false])
  func neverMissesTheLastChange(polls: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      let sight = Sight()
      let handler: @Sendable () -> Void = { sight.look(at: path) }
      let watch =
        try polls
        ? PollingWatcher().watch(directory, for: .files, handler)
        : InotifyWatcher().watch(directory, for: .files, handler)
      for round in 0..<(polls ? 4 : 50) {
        for part in 0..<20 as Range<UInt8> {
          try files.replaceFile(at: path, with: [UInt8(round), part])
        }
        #expect(sight.isBound(for: [UInt8(round), 19]))
      }
      withExtendedLifetime(watch) {}
    }
  }

  @Test("of the names in a directory hears of new ones, and not of what is written")
  func ofTheNamesInADirectoryHears() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1])
      let news = DispatchSemaphore(value: 0)
      let watch = try files.watch(namesIn: directory) { news.signal() }
      let file = try files.open(path, .append)
      for _ in 0..<10 { try file.writeAll([2]) }
      #expect(news.wait(timeout: .now() + .milliseconds(200)) == .timedOut)
      try files.replaceFile(at: path, with: [3])
      #expect(news.wait(timeout: .now() + 60) == .success)
      withExtendedLifetime(watch) {}
    }
  }

  @Test("P6: tells of what was written during a pause", arguments: [1, 2])
  func tellsOfWhatWasWrittenDuring(watches count: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [])
      let file = try files.open(path, .append)
      let sights = (0..<count).map { _ in Sight() }
      let watcher = InotifyWatcher()
      let watches = try sights.map { sight in
        try watcher.watch(path, for: .bytes) { sight.look(at: path) }
      }
      for length in 1...50 {
        for watch in watches { watch.pause() }
        try file.writeAll([7])
        for sight in sights {
          #expect(sight.isBound(for: Array(repeating: 7, count: length)))
        }
      }
      withExtendedLifetime(watches) {}
    }
  }

  @Test("P6: misses nothing when the kernel's queue overflows")
  func missesNothingWhenTheKernelsQueueOverflows() throws {
    try withTemporaryDirectory { directory in
      let (noisy, quiet) = (directory.appending("noisy"), directory.appending("quiet"))
      for directory in [noisy, quiet] { try files.createDirectory(directory) }
      let path = quiet.appending("file")
      let sight = Sight()
      let isBlocked = DispatchSemaphore(value: 0)
      let goOn = DispatchSemaphore(value: 0)
      let isFirst = Atomic<Bool>(true)
      let watcher = InotifyWatcher()
      let watches = try [
        watcher.watch(quiet, for: .files) { sight.look(at: path) },
        watcher.watch(noisy, for: .files) { () -> Void in
          if isFirst.exchange(false, ordering: .relaxed) {
            isBlocked.signal()
            goOn.wait()
          }
        },
      ]
      try files.createDirectory(noisy.appending("first"))
      isBlocked.wait()
      // More than the kernel keeps for a watcher that does not come: what follows is not told.
      noisy.appending("other").withPlatformString { other in
        for _ in 0..<20_000 {
          mkdir(other, 0o700)
          rmdir(other)
        }
      }
      try files.replaceFile(at: path, with: [1, 2, 3])
      goOn.signal()
      #expect(sight.isBound(for: [1, 2, 3]))
      withExtendedLifetime(watches) {}
    }
  }

  @Test("hears of writes to one file, and stops when it is let go of") func hearsOfWritesToOneFile()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [])
      let file = try files.open(path, .append)
      for watcher in [InotifyWatcher() as any Watcher, PollingWatcher()] {
        let heard = DispatchSemaphore(value: 0)
        let first = try watcher.watch(path, for: .bytes) { heard.signal() }
        try file.writeAll([1])
        #expect(heard.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime(first) {}

        let gone = Atomic<Bool>(false)
        let calls = Atomic<Int>(0)
        do {
          let second = try watcher.watch(path, for: .bytes) { () -> Void in
            if gone.load(ordering: .sequentiallyConsistent) { calls.add(1, ordering: .relaxed) }
          }
          withExtendedLifetime(second) {}
        }
        gone.store(true, ordering: .sequentiallyConsistent)
        let third = try watcher.watch(path, for: .bytes) { heard.signal() }
        try file.writeAll([2])
        #expect(heard.wait(timeout: .now() + 60) == .success)
        withExtendedLifetime(third) {}
        #expect(calls.load(ordering: .relaxed) == 0)
      }
    }
  }

  @Test(
    "is seldom called for a file that is always written, and hears the last write",
    arguments: [true, false])
  func isSeldomCalledForAFile(
    findsNews: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [])
      let file = try files.open(path, .append)
      let calls = Atomic<Int>(0)
      let size = Atomic<Int>(0)
      let heard = DispatchSemaphore(value: 0)
      let watch = try InotifyWatcher().watch(path, for: .bytes) {
        calls.add(1, ordering: .relaxed)
        let information = (try? LocalFileSystem().information(at: path)) ?? nil
        size.store(Int(information?.size ?? 0), ordering: .relaxed)
        heard.signal()
        return findsNews
      }
      let start = ContinuousClock.now
      let writes = 100_000
      for _ in 0..<writes { try file.writeAll([1]) }
      while size.load(ordering: .relaxed) < writes {
        #expect(heard.wait(timeout: .now() + 60) == .success)
      }
      // One each millisecond, and some at once in the beginning.
      let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
      #expect(calls.load(ordering: .relaxed) <= milliseconds + 34)
      withExtendedLifetime(watch) {}
    }
  }

  @Test("that polls goes on to watch what comes after all was let go of")
  func thatPollsGoesOnToWatchWhat() throws {
    try withTemporaryDirectory { directory in
      let watcher = PollingWatcher()
      for round in 0..<3 as Range<UInt8> {
        let path = directory.appending("file")
        let sight = Sight()
        let watch = try watcher.watch(directory, for: .files) { sight.look(at: path) }
        try files.replaceFile(at: path, with: [round])
        #expect(sight.isBound(for: [round]))
        withExtendedLifetime(watch) {}
      }
    }
  }
}

/// What both watchers do.
private protocol Watcher {
  func watch(
    _ path: FilePath, for events: FileEvents, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch
}
extension Watcher {
  func watch(
    _ path: FilePath, for events: FileEvents, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try watch(path, for: events) {
      handler()
      return true
    }
  }
}
extension InotifyWatcher: Watcher {}
extension PollingWatcher: Watcher {}
