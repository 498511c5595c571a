import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Settings on several machines", .timeLimit(.minutes(5)))
struct SharedSettingsTests {
  private let engine = InMemoryEngine(limits: .few)
  private let units = SettingsKey("units", default: "metric")
  private let rating = SettingsKey("rating", default: 0)

  /// Settings in a directory of their own, as those of another machine.
  private final class Machine: Sendable {
    let settings: SettingsStore
    let driver: SyncDriver
    private let following: Task<Void, Never>

    init(_ directory: FilePath, _ engine: any SyncEngine) throws {
      let container = AppContainer(root: directory, identifier: "com.example.small")
      settings = try SettingsStore(container: container, arguments: [])
      driver = SyncDriver(try SharedSettings(settings), engine: engine, timing: .short)
      following = Task { [driver, changes = settings.anyChanges] in
        await driver.start()
        for await _ in changes { await driver.storeChanged() }
      }
    }

    func end() async {
      following.cancel()
      await driver.end()
    }
  }

  @Test("What one sets, the others have, and a person can read it in the engine")
  func agreement() async throws {
    try await withTemporaryDirectory { directory in
      let one = try Machine(directory.appending("one"), engine)
      let two = try Machine(directory.appending("two"), engine)
      try one.settings.set("imperial", for: units)
      try two.settings.set(4, for: rating)
      try await eventually { two.settings[units] == "imperial" && one.settings[rating] == 4 }
      #expect(
        await engine.model.values == [
          Array("units".utf8): Array("<string>imperial</string>".utf8),
          Array("rating".utf8): Array("<integer>4</integer>".utf8),
        ])
      try one.settings.remove(units)
      try await eventually { two.settings[units] == "metric" }
      #expect(two.settings.names == ["rating"])
      await one.end()
      await two.end()
    }
  }

  @Test("What ended before it began keeps no lock, and an engine that others share is known again")
  func members() async throws {
    try await withTemporaryDirectory { directory in
      let settings = try SettingsStore(
        container: AppContainer(root: directory, identifier: "com.example.small"), arguments: [])
      let shared = try SharedSettings(settings)
      let member = SyncMember(shared, engine: engine, timing: .short)
      member.end()
      member.start(settings.anyChanges, settings.sharingLock())
      try await Task.sleep(for: .milliseconds(100))
      let other = try SettingsStore(
        container: AppContainer(root: directory, identifier: "com.example.small"), arguments: [])
      try await eventually { other.sharingLock()?.acquire() == true }
      // Each namespace's commits raise the engine's revision.
      var update = SyncLog.Update()
      (update.cluster, update.revision) = ("one", 500)
      try settings.receive { _ in
        var received = SettingsStore.ReceivedValues()
        received.update = update
        return received
      }
      let progress = shared.progress(within: engine.limits)
      #expect(progress.isOf(SyncPosition(cluster: "one", revision: 400, engineRevision: 500)))
      #expect(!progress.isOf(SyncPosition(cluster: "one", revision: 400)))
    }
  }

  @Test("Changes that are made offline, also by another process, are sent after a restart")
  func restart() async throws {
    try await withTemporaryDirectory { directory in
      let files = directory.appending("one")
      let first = try Machine(files, engine)
      try await eventually { await first.driver.status.state == .current }
      await first.end()
      try first.settings.set("imperial", for: units)
      let container = AppContainer(root: files, identifier: "com.example.small")
      try SettingsStore(container: container, arguments: []).set(5, for: rating)
      let two = try Machine(directory.appending("two"), engine)
      try two.settings.set(1, for: rating)
      try await eventually { await engine.model.values.count == 1 }
      let again = try Machine(files, engine)
      try await eventually { two.settings[units] == "imperial" && two.settings[rating] == 5 }
      try await eventually { await again.driver.status.state == .current }
      #expect(again.settings[rating] == 5)
      await two.end()
      await again.end()
    }
  }

  @Test("Settings that join have the others' values; their own are kept beside them, or sent")
  func joining() async throws {
    try await withTemporaryDirectory { directory in
      let one = try Machine(directory.appending("one"), engine)
      try one.settings.set(3, for: rating)
      try await eventually { await one.driver.status.state == .current }
      let files = directory.appending("two")
      let container = AppContainer(root: files, identifier: "com.example.small")
      let before = try SettingsStore(container: container, arguments: [])
      try before.set(1, for: rating)
      try before.set("imperial", for: units)
      let two = try Machine(files, engine)
      try await eventually { two.settings[rating] == 3 && one.settings[units] == "imperial" }
      #expect(try two.settings.preservedValues().map(\.value) == [.integer(1)])
      await one.end()
      await two.end()
    }
  }

  @Test("What is handed out to be sent survives a power cut", .timeLimit(.minutes(10)))
  func durability() async throws {
    struct Lost: Error {}
    @Sendable func open(_ disk: SimulatedDisk) throws -> SettingsStore {
      try SettingsStore(file: "/app/small.plist", fileSystem: disk, isAutomatic: false) { _ in }
    }
    _ = try await CutExplorer(model: .posix).run { disk in
      let settings = try open(disk)
      let shared = try SharedSettings(settings)
      for round in 1...3 {
        try settings.set(round, for: rating)
        let view = try await shared.durableView()
        #expect(view.value(SettingsName("rating")) == Array("<integer>\(round)</integer>".utf8))
        #expect(view.log.changes.count == 1)
        disk.mark("\(round)")
      }
    } check: { disk, cut in
      let sent = cut.marks.compactMap { Int($0) }.max() ?? 0
      guard try open(disk)[rating] >= sent else { throw Lost() }
    }
  }

  @Test("With an engine that fails, all agree in the end, and no value is lost")
  func faults() async throws {
    try await withTemporaryDirectory { directory in
      let machines = try ["a", "b", "c"].map { try Machine(directory.appending($0), engine) }
      await engine.setFaults(20)
      for number in 0..<300 {
        let machine = machines[number % 3]
        try machine.settings.set(number, for: SettingsKey("\(number % 5)", default: -1))
        if number % 10 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        if number % 90 == 89 { await engine.compact() }
      }
      await engine.setFaults(0)
      var values: [[Int]] = []
      try await eventually {
        for machine in machines where await machine.driver.status.state != .current { return false }
        values = machines.map { machine in
          machine.settings.names.map { machine.settings[SettingsKey($0, default: -1)] }
        }
        // One may be current as far as it knows.
        return values[0].count == 5 && values[0] == values[1] && values[1] == values[2]
      }
      // The last change that was sent is one of the last that were made of its value.
      #expect(values[0].allSatisfy { $0 >= 285 })
      for machine in machines { await machine.end() }
    }
  }
}
