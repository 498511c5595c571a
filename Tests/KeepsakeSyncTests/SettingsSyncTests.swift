import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Settings with an engine", .timeLimit(.minutes(5)))
struct SettingsSyncTests {
  private let engine = InMemoryEngine(limits: .few)
  private let units = SettingsKey("units", default: "metric")
  private let seats = SettingsKey("seats", default: 0)

  private func container(_ directory: FilePath) -> AppContainer {
    AppContainer(root: directory, identifier: "com.example.small")
  }

  private func open(
    _ directory: FilePath, isShared: Bool = true, timing: SyncTiming = .short
  ) throws -> SettingsStore {
    try engine.settings(in: directory, isShared: isShared, timing: timing)
  }

  @Test("What is synchronized everywhere, the engine has, and others receive")
  func everywhere() async throws {
    try await withTemporaryDirectory { directory in
      let before = try SettingsStore(container: container(directory.appending("a")), arguments: [])
      try before.set(7, for: seats)
      let one = try SettingsStore(
        container: container(directory.appending("a")), arguments: [], sync: engine)
      // Also what was there before the settings were shared.
      try await one.synchronize(.everywhere)
      #expect(await engine.model.values.count == 1)
      one[units] = "imperial"
      try await one.synchronize(.everywhere)
      #expect(await engine.model.values.count == 2)
      let two = try open(directory.appending("b"))
      for await status in two.syncStatus where status.state == .current { break }
      #expect(two[units] == "imperial" && two[seats] == 7)
    }
  }

  @Test("Each machine remembers its own imports, and those of the others")
  func imports() async throws {
    try await withTemporaryDirectory { directory in
      func add(_ value: Int, _ name: String, to store: SettingsStore) throws
        -> SettingsStore.ImportResult
      {
        try store.importOnce(named: name) { $0[seats] = value }
      }
      let one = try open(directory.appending("a"))
      _ = try add(1, "one", to: one)
      try await one.synchronize(.everywhere)
      let two = try open(directory.appending("b"), isShared: false)
      _ = try add(2, "two", to: two)
      try two.share(through: engine, timing: .short)
      try await two.synchronize(.everywhere)
      try one.remove(seats)
      try await one.synchronize(.everywhere)
      let revision = await engine.model.revision
      for store in [one, two] {
        try await eventually { store.syncLog?.revision == revision }
        for name in ["one", "two"] {
          #expect(try add(3, name, to: store).outcome == .importedBefore)
        }
        #expect(store[seats] == 0)
      }
    }
  }

  @Test("A removal of what the engine does not have does not make a machine read everything again")
  func absentValues() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      let readings = await engine.readings
      for round in 1...5 {
        try store.remove(units)
        store[seats] = round
        try await store.synchronize(.everywhere)
        try store.remove(units)
        try await store.synchronize(.everywhere)
      }
      let revision = await engine.model.revision
      try await eventually { store.syncLog?.revision == revision && store.syncLog?.doubt == nil }
      #expect(await engine.readings == readings && store.syncLog?.changes.isEmpty == true)
    }
  }

  @Test(
    "Of a value that two machines have first, that of one that joined too late to send it is kept beside the settings",
    arguments: [false, true])
  func offer(isSilent: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let before = try SettingsStore(container: container(directory), arguments: [])
      (before[units], before[seats]) = ("nautical", 7)
      await engine.setFull(true)
      await engine.setSilent(isSilent)
      let store = try open(directory)
      for await status in store.syncStatus {
        if case .offline(.rejected) = status.state { break }
      }
      #expect(store.syncLog?.changes.values.allSatisfy(\.isOffer) == true)
      let key = SyncKey.value(Array("units".utf8))
      let theirs = Array("<string>imperial</string>".utf8)
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: theirs]))
      await engine.setFull(false)
      await engine.setSilent(false)
      try await eventually { try !store.preservedValues().isEmpty }
      try await eventually { store[units] == "imperial" && store.syncLog?.changes.isEmpty == true }
      try await store.synchronize(.everywhere)
      #expect(store[seats] == 7)
      #expect(try store.preservedValues().map(\.key) == ["units"])
      let values = await engine.model.values
      #expect(values.count == 2 && values[Array("units".utf8)] == theirs)
    }
  }

  /// Has a store's offer, which the engine did not take, be withdrawn.
  private func withdraw(_ store: SettingsStore) async throws {
    try await eventually { store.syncLog?.changes.count == 1 }
    let key = SyncKey.value(Array("units".utf8))
    let theirs = Array("<string>imperial</string>".utf8)
    _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: theirs]))
    try await eventually { store[units] == "imperial" && store.syncLog?.changes.isEmpty == true }
  }

  @Test("What was withdrawn cannot arrive late, also if nothing else is to be sent")
  func withdrawnAlone() async throws {
    try await withTemporaryDirectory { directory in
      try SettingsStore(container: container(directory), arguments: []).set("nautical", for: units)
      await engine.setFull(true)
      let store = try open(directory)
      try await withdraw(store)
      // As where a member may only read.
      try await store.synchronize(.everywhere)
      for await status in store.syncStatus where status.state == .current { break }
      let origin = try #require(store.syncLog?.replaced.keys.first)
      await engine.setFull(false)
      try await eventually { await engine.model.items[.origin(origin)] != nil }
      try await eventually { store.syncLog?.replaced.isEmpty == true }
    }
  }

  @Test("What was withdrawn cannot arrive late, also if the process that is to say so does nothing")
  func withdrawnByStopped() async throws {
    try await withTemporaryDirectory { directory in
      try SettingsStore(container: container(directory), arguments: []).set("nautical", for: units)
      await engine.setFull(true)
      weak var released: SettingsStore?
      do {
        let store = try open(directory)
        try await withdraw(store)
        released = store
      }
      try await eventually { released == nil }
      let stopped = try open(directory, isShared: false)
      let lock = try #require(stopped.sharingLock())
      try await eventually { lock.acquire() }
      await engine.setFull(false)
      let store = try open(directory)
      try await eventually { store.syncLog?.replaced.isEmpty == true }
      #expect(await engine.model.items.count == 2)
      withExtendedLifetime(lock) {}
    }
  }

  @Test("What an engine has rejected before is not the answer to a later call")
  func laterCall() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      for number in 0..<5 {
        await engine.setFull(true)
        store[seats] = number
        await #expect(throws: SyncError.self) { try await store.synchronize(.everywhere) }
        await engine.setFull(false)
        try await store.synchronize(.everywhere)
      }
    }
  }

  @Test("What an engine has lost is sent to it again, without a further change")
  func anotherEngine() async throws {
    try await withTemporaryDirectory { directory in
      do {
        let before = try open(directory)
        before[seats] = 7
        try await before.synchronize(.everywhere)
      }
      let store = try open(directory)
      for await status in store.syncStatus where status.state == .current { break }
      await engine.replace()
      try await eventually { await engine.model.values.count == 1 }
      #expect(store[seats] == 7)
    }
  }

  /// Shares two values, and closes the settings.
  private func shareSome(in directory: FilePath) async throws {
    weak var released: SettingsStore?
    do {
      let store = try open(directory)
      store[seats] = 7
      store[units] = "imperial"
      try await store.synchronize(.everywhere)
      // The engine has shown that it has them: an edit of a value that it may not have is no longer told from it.
      try await eventually { store.syncLog?.changes.isEmpty == true }
      released = store
    }
    try await eventually { released == nil }
    try await awaitClosed(directory)
  }

  /// Waits until no process has the settings open.
  private func awaitClosed(_ directory: FilePath) async throws {
    let path = container(directory).preferencesFile().removingLastComponent()
    let lock = try LocalFileSystem().lock(at: path.appending("com.example.small.lock"))
    try await eventually { try !lock.hasOtherUsers }
  }

  @Test("What is edited by hand while no process has the settings open is sent")
  func editByHand() async throws {
    try await withTemporaryDirectory { directory in
      try await shareSome(in: directory)
      let file = container(directory).preferencesFile()
      let files = LocalFileSystem()
      let text = String(decoding: try #require(try files.readFile(at: file)), as: UTF8.self)
      let edited = text.replacing("<integer>7<", with: "<integer>8<")
        .replacing("\t<key>units</key>\n\t<string>imperial</string>\n", with: "")
      #expect(edited.utf8.count < text.utf8.count - 20)
      try files.replaceFile(at: file, with: Array(edited.utf8))
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      #expect(
        await engine.model.values == [Array("seats".utf8): Array("<integer>8</integer>".utf8)])
      #expect(store[seats] == 8 && store.names == ["seats"])
    }
  }

  /// Cuts off the end of an element of the property list.
  private func damage(_ number: Int, in directory: FilePath) throws {
    let file = container(directory).preferencesFile()
    let files = LocalFileSystem()
    let text = String(decoding: try #require(try files.readFile(at: file)), as: UTF8.self)
    let damaged = text.replacing("<integer>\(number)</integer>", with: "<integer>\(number)</int")
    #expect(damaged != text)
    try files.replaceFile(at: file, with: Array(damaged.utf8))
  }

  /// Edits the property list, which no process has open.
  private func edit(_ old: String, to new: String, in directory: FilePath) throws {
    let file = container(directory).preferencesFile()
    let files = LocalFileSystem()
    let text = String(decoding: try #require(try files.readFile(at: file)), as: UTF8.self)
    let edited = text.replacing(old, with: new)
    #expect(edited != text)
    try files.replaceFile(at: file, with: Array(edited.utf8))
  }

  @Test("What is changed in settings whose files were removed is not shared")
  func removedFiles() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      store[seats] = 7
      try await store.synchronize(.everywhere)
      try store.removeFiles()
      store[seats] = 8
      await #expect(throws: CancellationError.self) { try await store.synchronize(.everywhere) }
      #expect(
        await engine.model.values == [Array("seats".utf8): Array("<integer>7</integer>".utf8)])
    }
  }

  @Test("What is changed in settings whose files another process has removed is not shared")
  func filesRemovedByAnother() async throws {
    try await withTemporaryDirectory { directory in
      let (store, other) = (try open(directory), try open(directory))
      store[seats] = 7
      try await store.synchronize(.everywhere)
      try store.removeFiles()
      other[seats] = 8
      await #expect(throws: CancellationError.self) { try await other.synchronize(.everywhere) }
      await #expect(throws: CancellationError.self) {
        try await other.transaction(.everywhere) { $0[seats] = 9 }
      }
      #expect(
        await engine.model.values == [Array("seats".utf8): Array("<integer>7</integer>".utf8)])
    }
  }

  @Test("What is missing after damage was not removed, also if the property list is edited then")
  func damagedAndEdited() async throws {
    try await withTemporaryDirectory { directory in
      try await shareSome(in: directory)
      try damage(7, in: directory)
      try {
        let store = try SettingsStore(container: container(directory), arguments: []) { _ in }
        #expect(store[seats] == 0)
        try store.save()
      }()
      try await awaitClosed(directory)
      try edit("imperial", to: "edited", in: directory)
      let store = try SettingsStore(container: container(directory), arguments: []) { _ in }
      #expect(store[units] == "edited")
      try store.share(through: engine, timing: .short)
      try await eventually { store[seats] == 7 && store[units] == "imperial" }
      #expect(await engine.model.values.count == 2)
      #expect(try store.preservedValues().map(\.key) == ["units"])
    }
  }

  @Test("An edit of one value says nothing about others that somebody wrote in another way")
  func otherNotation() async throws {
    try await withTemporaryDirectory { directory in
      try await shareSome(in: directory)
      let notation = Array("<string>imperi&#97;l</string>".utf8)
      let text = Array("No element".utf8)
      let writes = [
        SyncKey.value(Array("units".utf8)): notation, .value(Array("notes".utf8)): text,
      ]
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: writes))
      let revision = await engine.model.revision
      try await {
        let store = try SettingsStore(container: container(directory), arguments: []) { _ in }
        try store.share(through: engine, timing: .short)
        try await eventually { store.syncLog?.revision == revision }
      }()
      try await awaitClosed(directory)
      try edit("<integer>7<", to: "<integer>8<", in: directory)
      let store = try SettingsStore(container: container(directory), arguments: []) { _ in }
      try store.share(through: engine, timing: .short)
      try await store.synchronize(.everywhere)
      let values = await engine.model.values
      #expect(values[Array("units".utf8)] == notation && values[Array("notes".utf8)] == text)
      #expect(values[Array("seats".utf8)] == Array("<integer>8</integer>".utf8))
    }
  }

  @Test("What a damaged property list has lost, the engine has")
  func damage() async throws {
    try await withTemporaryDirectory { directory in
      try await shareSome(in: directory)
      try damage(7, in: directory)
      let store = try SettingsStore(container: container(directory), arguments: []) { _ in }
      #expect(store[seats] == 0)
      try store.share(through: engine, timing: .short)
      try await eventually { store[seats] == 7 && store[units] == "imperial" }
      #expect(await engine.model.values.count == 2)
    }
  }

  @Test("A change that a damaged property list has lost removes nothing elsewhere")
  func damagedChange() async throws {
    try await withTemporaryDirectory { directory in
      try await shareSome(in: directory)
      weak var released: SettingsStore?
      do {
        let alone = try open(directory, isShared: false)
        alone[seats] = 8
        try alone.save()
        released = alone
      }
      try await eventually { released == nil }
      try damage(8, in: directory)
      let store = try SettingsStore(container: container(directory), arguments: []) { _ in }
      try store.share(through: engine, timing: .short)
      try await store.synchronize(.everywhere)
      try await eventually { store[seats] == 7 && store[units] == "imperial" }
      #expect(await engine.model.values.count == 2)
    }
  }

  @Test("While the engine does not answer all works here, is kept, and is sent later")
  func offline() async throws {
    try await withTemporaryDirectory { directory in
      await engine.setFaults(100)
      do {
        let store = try open(directory)
        store[units] = "imperial"
        #expect(store[units] == "imperial")
        let sending = Task { try await store.synchronize(.everywhere) }
        for await status in store.syncStatus {
          if case .offline(.unreachable) = status.state { break }
        }
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        await #expect(throws: SyncError.self) {
          try await store.transaction(.everywhere) { $0[seats] += 1 }
        }
      }
      await engine.setFaults(0)
      let again = try open(directory)
      try await again.synchronize(.everywhere)
      #expect(await engine.model.values.count == 1)
    }
  }

  @Test("A value that the engine does not take is named, and holds up no other")
  func largeValue() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      store[units] = String(repeating: "x", count: 2000)
      store[seats] = 3
      let error = await #expect(throws: SyncError.self) { try await store.synchronize(.everywhere) }
      #expect(error?.description.contains("these are kept here, and not sent: 'units'.") == true)
      try await eventually { await engine.model.values.count == 1 }
      for await status in store.syncStatus
      where status == SyncStatus(.current, tooLarge: ["units"]) { break }
      // Transactions on others are made.
      #expect(
        try await store.transaction(.everywhere) { settings in
          settings[seats] += 1
          return settings[seats]
        } == 4)
      await #expect(throws: SyncError.self) {
        try await store.transaction(.everywhere) { $0[units] }
      }
      store[units] = "imperial"
      try await store.synchronize(.everywhere)
      #expect(await engine.model.values.count == 2)
    }
  }

  @Test("A setting whose name is longer than the engine takes holds up no other")
  func longName() async throws {
    let limits = SyncLimits(writes: 4, length: 1000, keyLength: 10)
    let engine = InMemoryEngine(limits: limits)
    try await withTemporaryDirectory { directory in
      let store = try open(directory, isShared: false)
      try store.share(through: engine, timing: .short)
      let name = "name-of-more-than-ten-bytes"
      store[SettingsKey(name, default: 0)] = 1
      store[seats] = 7
      let error = await #expect(throws: SyncError.self) {
        try await store.synchronize(.everywhere)
      }
      #expect(error?.description.contains("'\(name)'") == true)
      #expect(
        await engine.model.values.keys.map { String(decoding: $0, as: UTF8.self) } == ["seats"])
    }
  }

  @Test("A value of other machines that is not an element of a property list is reported")
  func unreadableValue() async throws {
    try await withTemporaryDirectory { directory in
      let problems = Mutex<[SettingsError]>([])
      let store = try SettingsStore(
        container: container(directory), arguments: [],
        onProblem: { problem in problems.withLock { $0.append(problem) } })
      try store.share(through: engine, timing: .short)
      store[units] = "nautical"
      try await store.synchronize(.everywhere)
      let key = SyncKey.value(Array("units".utf8))
      let word = Array("imperial".utf8)
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: word]))
      try await eventually { problems.withLock { $0.map(\.key) == ["units"] } }
      // It could be written, and then not be read.
      let deep =
        String(repeating: "<array>", count: 512) + String(repeating: "</array>", count: 512)
      _ = await engine.performElsewhere(
        SyncCommit(conditions: [:], writes: [key: Array(deep.utf8)]))
      try await eventually { problems.withLock { $0.map(\.key) == ["units", "units"] } }
      #expect(store[units] == "nautical")
    }
  }

  @Test("An engine that is another one has everything once it is synchronized")
  func anotherEngineAtFirst() async throws {
    try await withTemporaryDirectory { directory in
      var store: SettingsStore? = try open(directory)
      store?[seats] = 1
      try await store?.synchronize(.everywhere)
      try await eventually { store?.syncLog?.changes.isEmpty == true }
      store = nil
      await engine.replace()
      await engine.setDelay(.milliseconds(20))
      let again = try open(directory)
      try await again.synchronize(.everywhere)
      #expect(await engine.model.values.count == 1)
    }
  }

  @Test("An engine that is another one since has everything once it is synchronized")
  func anotherEngineMeanwhile() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      store[seats] = 1
      try await store.synchronize(.everywhere)
      try await eventually { store.syncLog?.changes.isEmpty == true }
      await engine.setMute(true)
      await engine.replace()
      for await status in store.syncStatus where status.state != .current { break }
      store[units] = "imperial"
      let opening = Task {
        try await Task.sleep(for: .milliseconds(300))
        await engine.setMute(false)
      }
      try await store.synchronize(.everywhere)
      #expect(await engine.model.values.count == 2)
      try await opening.value
    }
  }

  @Test("Settings without an engine say so")
  func withoutEngine() async throws {
    let store = SettingsStore.inMemory()
    await #expect(throws: SyncError.self) { try await store.synchronize(.everywhere) }
    await #expect(throws: SyncError.self) { try await store.transaction(.everywhere) { _ in } }
    for await _ in store.syncStatus { Issue.record("There is a status.") }
  }

  @Test("Settings that are shared are released, and then no longer followed")
  func release() async throws {
    try await withTemporaryDirectory { directory in
      weak var released: SettingsStore?
      do {
        let store = try open(directory)
        store[seats] = 1
        try await store.synchronize(.everywhere)
        released = store
      }
      try await eventually { await engine.connections == 0 }
      #expect(released == nil)
    }
  }
}
