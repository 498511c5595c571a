import Dispatch
import KeepsakeBase
import Testing

@Suite("Change sequences", .timeLimit(.minutes(10))) struct ChangeSequenceTests {
  private let signal = ChangeSignal()

  private var versions: ChangeSequence<VersionCursor> {
    ChangeSequence { [signal] in VersionCursor(signal: signal) }
  }

  @Test("A change sequence starts with the current element and returns each later change")
  func startsWithCurrentElement() async {
    var loop = versions.makeAsyncIterator()
    #expect(await loop.next() == 1)
    for version in 2...100 as ClosedRange<UInt64> {
      signal.advance()
      #expect(await loop.next() == version)
    }
  }

  @Test("A slow loop receives only the latest element") func slowLoop() async {
    var loop = versions.makeAsyncIterator()
    #expect(await loop.next() == 1)
    for _ in 0..<5 { signal.advance() }
    #expect(await loop.next() == 6)
  }

  @Test("A change between the check for an element and the wait is not missed")
  func changeBeforeWait() async {
    let changes = ChangeSequence { [signal] in
      var cursor = VersionCursor(signal: signal)
      // No waiter is resumed: the loop itself must detect the change.
      cursor.beforeWait = { if signal.version < 50 { signal.increment() } }
      return cursor
    }
    var seen: [UInt64] = []
    for await version in changes {
      seen.append(version)
      if version == 50 { break }
    }
    #expect(seen == Array(1...50))
  }

  @Test("A loop waits again if a change produces no element") func noElement() async {
    let even = ChangeSequence { [signal] in
      var cursor = VersionCursor(signal: signal)
      cursor.isElement = { $0.isMultiple(of: 2) }
      return cursor
    }
    let seen = Task {
      var seen: [UInt64] = []
      for await version in even {
        seen.append(version)
        if version >= 1000 { break }
      }
      return seen
    }
    for version in 2...1000 {
      signal.advance()
      if version.isMultiple(of: 16) { await Task.yield() }
    }
    let versions = await seen.value
    #expect(versions.last == 1000)
    #expect(versions.allSatisfy { $0.isMultiple(of: 2) })
    #expect(versions == Set(versions).sorted())
  }

  @Test("Canceling its task ends a loop, whether it is waiting or not") func cancellation() async {
    let arrivals = AsyncStream.makeStream(of: UInt64.self)
    let waiting = Task { [versions] in
      for await version in versions { arrivals.continuation.yield(version) }
      arrivals.continuation.finish()
    }
    let other = Task { [versions] in
      for await version in versions where version == 2 { return version }
      return 0
    }
    for await version in arrivals.stream {
      #expect(version == 1)
      waiting.cancel()
    }
    await waiting.value
    // The other loop continues.
    signal.advance()
    #expect(await other.value == 2)

    let canceled = Task { [versions] in
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in versions { return false }
      return true
    }
    #expect(await canceled.value)
  }

  @Test("Two loops over one sequence have separate positions") func twoLoops() async {
    let versions = versions
    var first = versions.makeAsyncIterator()
    #expect(await first.next() == 1)
    signal.advance()
    var second = versions.makeAsyncIterator()
    #expect(await second.next() == 2)
    #expect(await first.next() == 2)
    signal.advance()
    #expect(await first.next() == 3)
    #expect(await second.next() == 3)
  }

  @Test("A loop checks for elements and waits on its own actor only") func isolation() async {
    let checks = Mutex<[Bool]>([])
    let last: UInt64 = 20
    let arrivals = AsyncStream.makeStream(of: UInt64.self)
    let changes = ChangeSequence { [signal] in
      var cursor = VersionCursor(signal: signal)
      cursor.beforeWait = { checks.withLock { $0.append(QueueExecutor.isCurrent) } }
      cursor.isElement = { _ in
        checks.withLock { $0.append(QueueExecutor.isCurrent) }
        return true
      }
      return cursor
    }
    let loop = Task {
      await Reader().read(changes) {
        arrivals.continuation.yield($0)
        return $0 != last
      }
    }
    for await version in arrivals.stream {
      if version == last { break }
      signal.advance()
    }
    await loop.value
    #expect(checks.withLock { $0.count } >= last)
    #expect(checks.withLock { !$0.contains(false) })
  }

  @Test("No loop runs on the thread that makes the change", arguments: [true, false])
  func notWithinChange(isOnMainActor: Bool) async {
    let signal = ChangeSignal()
    let changing = Mutex<UInt>(0)
    let within = Mutex(0)
    let arrivals = AsyncStream.makeStream(of: UInt64.self)
    let changes = ChangeSequence { VersionCursor(signal: signal) }
    let body: @Sendable (UInt64) -> Bool = { version in
      within.withLock { $0 += changing.withLock { $0 } == ThreadIdentity.current ? 1 : 0 }
      arrivals.continuation.yield(version)
      return version < 20
    }
    let loop = Task {
      if isOnMainActor {
        await readOnMainActor(changes, while: body)
      } else {
        await DefaultActor().read(changes, while: body)
      }
    }
    for await version in arrivals.stream {
      if version == 20 { break }
      DispatchQueue.global().async {
        usleep(200)
        changing.withLock { $0 = ThreadIdentity.current }
        signal.advance()
        changing.withLock { $0 = 0 }
      }
    }
    await loop.value
    #expect(within.withLock { $0 } == 0)
  }
}

/// An actor without its own executor.
private actor DefaultActor {
  func read(_ changes: ChangeSequence<VersionCursor>, while body: (UInt64) -> Bool) async {
    for await version in changes {
      if !body(version) { return }
    }
  }
}

@MainActor
private func readOnMainActor(
  _ changes: ChangeSequence<VersionCursor>, while body: (UInt64) -> Bool
) async {
  for await version in changes {
    MainActor.assertIsolated()
    if !body(version) { return }
  }
}

/// The position of a loop among the versions of a signal.
private struct VersionCursor: ChangeCursor {
  let signal: ChangeSignal
  var seen: UInt64 = 0
  var beforeWait: @Sendable () -> Void = {}
  var isElement: @Sendable (UInt64) -> Bool = { _ in true }

  var waiters: Waiters { signal.waiters }

  var hasChanged: Bool {
    beforeWait()
    return signal.version != seen
  }

  mutating func next() -> UInt64? {
    let version = signal.version
    if version == seen { return nil }
    seen = version
    return isElement(version) ? version : nil
  }
}

/// An actor whose code runs on its own queue.
private actor Reader {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func read(_ changes: ChangeSequence<VersionCursor>, while body: (UInt64) -> Bool) async {
    for await version in changes {
      if !body(version) { return }
    }
  }
}

private final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<Void>()
  private let queue = DispatchQueue(label: "ChangeSequenceTests")

  /// Whether the caller runs on such a queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  init() { queue.setSpecific(key: Self.key, value: ()) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
