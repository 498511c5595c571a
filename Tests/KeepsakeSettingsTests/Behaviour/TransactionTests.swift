import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

private struct Refused: Error {}

@Suite("Transactions", .serialized, .timeLimit(.minutes(10))) struct TransactionTests {
  private let one = SettingsKey("one", default: 1)
  private let two = SettingsKey("two", default: 2)

  /// Runs a body on settings in memory and on settings in files.
  private func withStores(_ body: (SettingsStore) throws -> Void) throws {
    try body(.inMemory())
    try withHome { try body($0.open()) }
  }

  @Test("A transaction makes all of its changes or none") func atomicity() throws {
    try withStores { store in
      let result = try store.transaction { settings in
        settings[one] = 10
        settings[two] = 20
        return "done"
      }
      #expect(result == "done" && store[one] == 10 && store[two] == 20)

      #expect(throws: Refused.self) {
        try store.transaction { settings in
          settings[one] = 11
          settings.remove(two)
          settings.rename("one", to: "three")
          throw Refused()
        }
      }
      #expect(store[one] == 10 && store[two] == 20 && store.names == ["one", "two"])
    }
  }

  @Test("Calls of the store in a body are refused, and the transaction continues")
  func storeCallsInBody() throws {
    try withStores { store in
      var refused: [SettingsError.Code] = []
      func attempt(_ call: () throws -> Void) {
        do { try call() } catch {
          if let error = error as? SettingsError { refused.append(error.code) }
        }
      }
      try store.transaction { settings in
        attempt { try store.set(5, for: one) }
        attempt { try store.transaction { $0[one] = 6 } }
        attempt { try store.save() }
        attempt { try store.synchronizeAndWait() }
        store[one] = 7
        settings[two] = 20
      }
      #expect(refused == Array(repeating: .inTransaction, count: 4))
      #expect(store[one] == 1 && store[two] == 20)
      try store.set(3, for: one)
      #expect(store[one] == 3)
    }
  }

  @Test("A transaction with a value that cannot be encoded changes nothing")
  func unencodableValue() throws {
    try withStores { store in
      #expect {
        try store.transaction { settings in
          settings[one] = 10
          settings[SettingsKey("bad", default: Unwritable())] = Unwritable()
          // Too late to correct it.
          settings[SettingsKey<Int?>("bad")] = 3
          settings[two] = 20
        }
      } throws: { error in
        let error = error as? SettingsError
        return error?.code == .unencodable && error?.key == "bad"
      }
      #expect(store.names == [])
      #expect(throws: SettingsError.self) {
        try store.transaction { settings in
          var deep: PropertyList.Value = 1
          for _ in 0..<600 { deep = ["a": deep] }
          settings[SettingsKey<PropertyList.Value?>("deep")] = deep
        }
      }
      #expect(store.names == [])
    }
  }

  @Test("A transaction reads its own changes, which others see only when it ends")
  func isolation() throws {
    try withStores { store in
      store[one] = 5
      try store.transaction { settings in
        #expect(settings[one] == 5 && settings[two] == 2)
        settings[one] += 1
        settings[one] += 1
        #expect(settings[one] == 7 && store[one] == 5)
        settings.remove(one)
        #expect(settings[one] == 1)
        settings[two] = 9
        #expect(settings[two] == 9 && store[two] == 2)
      }
      #expect(store[one] == 1 && store[two] == 9 && store.names == ["two"])
    }
  }

  @Test("A key is renamed unless the new name is in use") func rename() throws {
    try withStores { store in
      store[SettingsKey("old", default: [0])] = [1, 2]
      store[one] = 5
      let renamed = try store.transaction { settings in
        [
          settings.rename("old", to: "new"), settings.rename("old", to: "newer"),
          settings.rename("new", to: "one"), settings.rename("never", to: "x"),
          settings.rename("one", to: "one"),
        ]
      }
      #expect(renamed == [true, false, false, false, false])
      #expect(store[SettingsKey("new", default: [0])] == [1, 2])
      #expect(store.names == ["new", "one"] && store[one] == 5)
    }
  }

  @Test("A rename applies to the app's own values, regardless of other layers")
  func renameInLayers() throws {
    try withStores { store in
      store.register(defaults: ["new": "registered", "other": "registered"])
      store[SettingsKey("old", default: "")] = "mine"
      try store.transaction { settings in
        settings.rename("old", to: "new")
        // A key that only has a default has nothing to rename.
        settings.rename("other", to: "copy")
      }
      #expect(store[SettingsKey("new", default: "")] == "mine")
      #expect(store.names == ["new"])
    }
  }

  @Test("A transaction reads the values of all layers") func layers() throws {
    try withHome { home in
      try home.open(suite: "com.example.group").set(3, for: one)
      let store = try home.open(groups: ["com.example.group"])
      store.register(defaults: ["two": 4])
      try store.transaction { settings in
        #expect(settings[one] == 3 && settings[two] == 4)
        settings[one] += 10
        settings[two] += 10
        settings.remove(SettingsKey("never", default: 0))
      }
      #expect(store[one] == 13 && store[two] == 14)
      try store.transaction { settings in
        settings.remove(one)
        #expect(settings[one] == 3, "a removed value uncovers the next layer")
      }
      #expect(store[one] == 3)
      #expect(try home.open(suite: "com.example.group")[one] == 3)
    }
  }

  @Test("A stored value of another type gives the default and is reported")
  func wrongType() throws {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    store[SettingsKey("one", default: "")] = "text"
    try store.transaction { settings in
      #expect(settings[one] == 1 && settings[one] == 1)
    }
    #expect(problems.codes == [.wrongType])
    #expect(store[SettingsKey("one", default: "")] == "text")
  }

  @Test("A transaction without changes writes nothing") func readOnly() throws {
    try withHome { home in
      let store = try home.open()
      #expect(try store.transaction { $0[one] } == 1)
      #expect(store.names == [])
    }
  }

  @Test("Transactions of two stores and eight tasks lose no count")
  func concurrentCounts() async throws {
    try await withHome { home in
      let stores = [try home.open(), try home.open()]
      try await withThrowingTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            for _ in 0..<250 { try stores[task % 2].transaction { $0[one] += 1 } }
          }
        }
        try await group.waitForAll()
      }
      #expect(try home.open()[one] == 2001)
      for store in stores {
        for await value in store.values(of: one) where value == 2001 { break }
      }
    }
  }
}
