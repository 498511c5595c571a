import KeepsakeSettings
import Testing

private struct Refused: Error {}

private let version = SettingsKey("KeepsakeSettingsVersion", default: 0)
private let log = SettingsKey("log", default: "")

/// A step that records that it ran.
private func step(_ number: Int) -> SettingsStore.Migration {
  SettingsStore.Migration(to: number) { $0[log] += "\(number) " }
}

@Suite("Migrations") struct MigrationTests {
  @Test("A migration runs each step once, in the order of versions") func order() throws {
    try withHome { home in
      do {
        let store = try home.open()
        try store.migrate([step(2), step(1)])
        #expect(store[log] == "1 2 " && store[version] == 2)
        try store.migrate([step(2), step(1)])
        #expect(store[log] == "1 2 ")
      }
      let store = try home.open()
      try store.migrate([step(5), step(1), step(3), step(2)])
      #expect(store[log] == "1 2 3 5 " && store[version] == 5)
      try store.migrate([step(5), step(1), step(3), step(2)])
      #expect(store[log] == "1 2 3 5 ")
    }
  }

  @Test("A migration whose step fails changes nothing") func failingStep() throws {
    let store = SettingsStore.inMemory()
    let failing = SettingsStore.Migration(to: 3) { settings in
      settings[log] += "3 "
      throw Refused()
    }
    try store.migrate([step(1)])
    #expect(throws: Refused.self) { try store.migrate([step(1), step(2), failing]) }
    #expect(store[log] == "1 " && store[version] == 1)
    try store.migrate([step(1), step(2), step(3)])
    #expect(store[log] == "1 2 3 ")
  }

  @Test("Settings of a newer version are refused") func newerVersion() throws {
    let store = SettingsStore.inMemory()
    try store.migrate([step(1), step(2), step(3)])
    for known in [[step(1), step(2)], []] {
      #expect {
        try store.migrate(known)
      } throws: { error in
        let error = error as? SettingsError
        return error?.code == .newerVersion && error?.message.contains("3") == true
      }
    }
    #expect(store[log] == "1 2 3 " && store[version] == 3)
  }

  @Test("A version that cannot be read is refused, and no step runs again")
  func unreadableVersion() throws {
    let store = SettingsStore.inMemory()
    try store.migrate([step(1)])
    store[SettingsKey("KeepsakeSettingsVersion", default: "")] = "one"
    #expect {
      try store.migrate([step(1), step(2)])
    } throws: { ($0 as? SettingsError)?.code == .wrongType }
    #expect(store[log] == "1 ")
  }

  @Test("A migration uses the version of the app's own settings, not a suite's")
  func appVersion() throws {
    try withHome { home in
      try home.open(suite: "com.example.group").migrate([step(1), step(2)])
      let store = try home.open(
        groups: ["com.example.group"], arguments: ["-KeepsakeSettingsVersion", "2"])
      try store.migrate([step(1), step(2)])
      #expect(try home.open()[log] == "1 2 1 2 ", "the app started with the log of the suite")
      #expect(try home.open()[version] == 2)
    }
  }

  @Test("A migration can change names and types") func namesAndTypes() throws {
    let store = SettingsStore.inMemory()
    store[SettingsKey("volume", default: "")] = "high"
    store[SettingsKey("unused", default: 0)] = 1
    try store.migrate([
      SettingsStore.Migration(to: 1) { settings in
        settings.rename("volume", to: "audio.volume")
        settings.remove(SettingsKey("unused", default: 0))
      },
      SettingsStore.Migration(to: 2) { settings in
        let old = settings[SettingsKey("audio.volume", default: "low")]
        settings[SettingsKey("audio.volume", default: 0)] = old == "high" ? 10 : 1
      },
    ])
    #expect(store[SettingsKey("audio.volume", default: 0)] == 10)
    #expect(store.names == ["KeepsakeSettingsVersion", "audio.volume"])
  }

  @Test("A migration that many stores start at the same time runs once")
  func concurrentMigrations() async throws {
    try await withHome { home in
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            let store = try home.open()
            try store.migrate([step(1), step(2)])
            #expect(store[version] == 2)
          }
        }
        try await group.waitForAll()
      }
      #expect(try home.open()[log] == "1 2 ")
    }
  }
}
