import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Settings that several processes share with an engine", .timeLimit(.minutes(5)))
struct SharedProcessesTests {
  private let engine = InMemoryEngine(limits: .few)
  private let units = SettingsKey("units", default: "metric")
  private let seats = SettingsKey("seats", default: 0)

  private func open(
    _ directory: FilePath, isShared: Bool = true, timing: SyncTiming = .short
  ) throws -> SettingsStore {
    try engine.settings(in: directory, isShared: isShared, timing: timing)
  }

  @Test("Of several processes one talks to the engine, and another one when that ends")
  func election() async throws {
    try await withTemporaryDirectory { directory in
      var first: SettingsStore? = try open(directory)
      first?[seats] = 1
      try await first?.synchronize(.everywhere)
      // It looks once whether its help is needed.
      var patient = SyncTiming.short
      patient.silence = .seconds(60)
      let second = try open(directory, timing: patient)
      try await eventually {
        let sync = second.sharing.withLock { $0 } as? SettingsSync
        return await sync?.member.status?.state == .current
      }
      #expect(await engine.connections <= 1)
      second[seats] = 2
      try await second.synchronize(.everywhere)
      first = nil
      let other = try open(directory.appending("b"))
      other[units] = "imperial"
      try await eventually { second[units] == "imperial" }
      second[seats] = 3
      try await eventually { other[seats] == 3 }
    }
  }

  @Test("Who leaves it to another process to talk to the engine knows what is too large")
  func largeValueOfAnother() async throws {
    try await withTemporaryDirectory { directory in
      let first = try open(directory)
      first[units] = String(repeating: "x", count: 2000)
      await #expect(throws: SyncError.self) { try await first.synchronize(.everywhere) }
      let second = try open(directory)
      for await status in second.syncStatus
      where status == SyncStatus(.current, tooLarge: ["units"]) { break }
      // It looks several times.
      try await Task.sleep(for: SyncTiming.short.silence * 5)
      #expect(await engine.connections <= 1)
      await #expect(throws: SyncError.self) { try await second.synchronize(.everywhere) }
      withExtendedLifetime(first) {}
    }
  }

  @Test("A process that holds the lock and does nothing, as if it were stopped, holds up nobody")
  func stoppedProcess() async throws {
    try await withTemporaryDirectory { directory in
      let stopped = try open(directory, isShared: false)
      let lock = try #require(stopped.sharingLock())
      #expect(lock.acquire())
      let store = try open(directory)
      store[seats] = 1
      try await eventually { await engine.model.values.count == 1 }
      let other = try open(directory.appending("b"))
      other[units] = "imperial"
      try await eventually { store[units] == "imperial" }
      store[seats] = 2
      try await store.synchronize(.everywhere)
      #expect(try await other.transaction(.everywhere) { $0[seats] } == 2)
      withExtendedLifetime(lock) {}
    }
  }

  @Test("What a process notes without a value, as that something was damaged, is followed")
  func noteWithoutValue() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      store[seats] = 1
      try await store.synchronize(.everywhere)
      let readings = await engine.readings
      try store.receive { _ in
        var received = SettingsStore.ReceivedValues()
        received.update.doubt = .damaged
        return received
      }
      try await eventually { await engine.readings > readings }
    }
  }

  @Test("A process that changes settings all the time takes over from one that is stopped")
  func busyProcess() async throws {
    try await withTemporaryDirectory { directory in
      let stopped = try open(directory, isShared: false)
      let lock = try #require(stopped.sharingLock())
      #expect(lock.acquire())
      let store = try open(directory)
      let setting = Task {
        while !Task.isCancelled {
          store[seats] += 1
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      defer { setting.cancel() }
      try await eventually { await engine.model.values.count == 1 }
      withExtendedLifetime(lock) {}
    }
  }

  @Test("Settings are not current before everything was read, though there is nothing to read")
  func currentAfterJoining() async throws {
    try await withTemporaryDirectory { directory in
      let stopped = try open(directory, isShared: false)
      let lock = try #require(stopped.sharingLock())
      #expect(lock.acquire())
      let store = try open(directory)
      for await status in store.syncStatus where status.state == .current { break }
      #expect(store.syncLog?.hasJoined == true)
      withExtendedLifetime(lock) {}
    }
  }

  @Test("What another process has just changed is synchronized, and precedes transactions")
  func changesOfAnotherProcess() async throws {
    try await withTemporaryDirectory { directory in
      let store = try SettingsStore(
        container: AppContainer(root: directory, identifier: workerIdentifier), arguments: [])
      try store.share(through: engine, timing: .short)
      try await store.synchronize(.everywhere)
      let other = try Worker(["serve", directory.string])
      #expect(try other.readLine() == "ready")
      let key = SettingsKey("key", default: "")
      for number in 0..<200 {
        #expect(try other.ask("set key \(number)") == "ok")
        if number % 2 == 0 {
          try await store.synchronize(.everywhere)
          let value = await engine.model.values[Array("key".utf8)]
          #expect(value == Array("<string>\(number)</string>".utf8))
        } else {
          #expect(try await store.transaction(.everywhere) { $0[key] } == "\(number)")
        }
      }
      try other.end()
    }
  }

  @Test("What another process has yet to send after it joined is not taken for sent")
  func joinedByAnotherProcess() async throws {
    try await withTemporaryDirectory { directory in
      // What was there before is a change only once the settings have joined.
      try open(directory, isShared: false).set(7, for: seats)
      let settings = try open(directory, isShared: false)
      let store = try SharedSettings(settings)
      let isSent = Task { try await store.isSentByAnother(within: engine.limits) }
      try await Task.sleep(for: .milliseconds(20))
      var synchronizer = Synchronizer(limits: engine.limits) { 20_000 }
      _ = try synchronizer.steps(of: store)
      try synchronizer.take(
        SyncSnapshot(cluster: "cluster", revision: 1, items: [:]), id: 1, into: store)
      #expect(store.log.cluster != nil)
      #expect(try await !isSent.value)
      withExtendedLifetime(settings) {}
    }
  }

  @Test("What waits when the files are removed is not taken for sent")
  func removedWhileWaiting() async throws {
    try await withTemporaryDirectory { directory in
      let settings = try open(directory, isShared: false)
      let store = try SharedSettings(settings)
      var synchronizer = Synchronizer(limits: engine.limits) { 20_000 }
      _ = try synchronizer.steps(of: store)
      try synchronizer.take(
        SyncSnapshot(cluster: "cluster", revision: 1, items: [:]), id: 1, into: store)
      try settings.set(7, for: seats)
      let isSent = Task { try await store.isSentByAnother(within: engine.limits) }
      try await Task.sleep(for: .milliseconds(20))
      try settings.removeFiles()
      do {
        // If this test was held up for as long as the call waits.
        #expect(try await !isSent.value)
      } catch is CancellationError {}
      withExtendedLifetime(settings) {}
    }
  }
}
