import KeepsakeFiles
import Testing

@testable import KeepsakeSettings

private struct Counter {
  @AppStorage("count") var count = 0
}

@Suite("Standard settings") struct StandardStoreTests {
  @Test("Standard settings are separate for each test, also in its child tasks", arguments: 0..<8)
  func taskLocal(number: Int) async {
    await SettingsStore.withStandard(.inMemory()) {
      let counter = Counter()
      #expect(counter.count == 0)
      for _ in 0..<100 {
        counter.count += 1
        await Task.yield()
      }
      #expect(Counter().count == 100)
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { #expect(Counter().count == 100) } }
      }
      async let child = Counter().count
      #expect(await child == 100)
      #expect(await Task { Counter().count }.value == 100)
      #expect(SettingsStore.standard.names == ["count"])
    }
  }

  @Test("A property uses the settings that are standard when it is created") func atCreation() {
    let (one, two) = (SettingsStore.inMemory(), SettingsStore.inMemory())
    let counter = SettingsStore.withStandard(one) {
      let counter = Counter()
      SettingsStore.withStandard(two) {
        counter.count = 1
        #expect(Counter().count == 0)
      }
      #expect(Counter().count == 1)
      return counter
    }
    counter.count = 2
    #expect(one[SettingsKey("count", default: 0)] == 2 && two.names == [])
  }

  @Test("withStandard returns or throws what its body does") func resultAndError() async throws {
    struct Refused: Error {}
    #expect(SettingsStore.withStandard(.inMemory()) { 4 } == 4)
    #expect(throws: Refused.self) {
      try SettingsStore.withStandard(.inMemory()) { throw Refused() }
    }
    await #expect(throws: Refused.self) {
      try await SettingsStore.withStandard(.inMemory()) {
        await Task.yield()
        throw Refused()
      }
    }
  }
}

@Suite("Settings that could not be opened") struct UnopenedSettingsTests {
  @Test("P4: Every call but a read of a default throws why the settings could not be opened")
  func reason() async {
    let reason = SettingsError(.unavailable, "no disk")
    let store = SettingsStore.unavailable(reason, container: AppContainer(identifier: "app"))
    let key = SettingsKey("k", default: 1)
    #expect(store[key] == 1)
    func expectReason(
      sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
      let error = await #expect(throws: SettingsError.self, sourceLocation: sourceLocation) {
        try await body()
      }
      #expect(error?.message == reason.message, sourceLocation: sourceLocation)
    }
    await expectReason { _ = try store.value(for: key) }
    await expectReason { try store.set(2, for: key) }
    await expectReason { try store.remove(key) }
    await expectReason { try store.transaction { $0[key] = 2 } }
    await expectReason { try store.save() }
    await expectReason { try await store.synchronize() }
  }
}

@Suite("Settings in memory") struct SettingsInMemoryTests {
  @Test("Settings in memory are separate from each other and from the disk")
  func separation() async throws {
    let (one, two) = (SettingsStore.inMemory(), SettingsStore.inMemory())
    let key = SettingsKey("k", default: 0)
    try one.set(1, for: key)
    #expect(two[key] == 0 && one.names == ["k"] && two.names == [])
    try one.save()
    try await one.synchronize()
    try one.remove(key)
    #expect(one[key] == 0 && one.names == [] && one.layer(of: key) == nil)
  }
}
