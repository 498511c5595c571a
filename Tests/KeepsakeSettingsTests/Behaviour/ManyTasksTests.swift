import Dispatch
import KeepsakeCoding
import KeepsakeSettings
import Testing

@Suite("A store used by many tasks", .timeLimit(.minutes(10))) struct ManyTasksTests {
  private static let names = (0..<16).map { "key \($0)" }

  @Test(
    "Ten thousand gets and sets of eight tasks leave each key's last value",
    arguments: [true, false])
  func lastValues(inMemory: Bool) async throws {
    try await withHome { home in
      let store = inMemory ? SettingsStore.inMemory() : try home.open()
      try await withThrowingTaskGroup { group in
        for task in 0..<8 {
          group.addTask {
            // Two keys belong to this task, the others are shared.
            let own = SettingsKey("own \(task)", default: 0)
            let property = AppStorage(wrappedValue: "", "text \(task)", store: store)
            for round in 1...2500 {
              let shared = SettingsKey(Self.names[(task + round) % 16], default: 0)
              try store.set(round, for: own)
              #expect(store[own] == round)
              property.wrappedValue = "\(round)"
              #expect(property.wrappedValue == "\(round)")
              store[shared] = round
              #expect((1...2500).contains(store[shared]))
              if round % 500 == 0 { try store.save() }
              if round % 100 == 0 { _ = (store.names, store.layer(of: shared)) }
            }
          }
        }
        try await group.waitForAll()
      }
      func expectLast(_ store: SettingsStore) {
        for task in 0..<8 {
          #expect(store[SettingsKey("own \(task)", default: 0)] == 2500)
          #expect(store[SettingsKey("text \(task)", default: "")] == "2500")
        }
        #expect(store.names.count == 32)
      }
      expectLast(store)
      if inMemory { return }
      let next = try home.open()
      expectLast(next)
      for name in Self.names {
        let key = SettingsKey(name, default: 0)
        #expect(next[key] == store[key])
      }
    }
  }

  @Test("P6: A change during the first read of a setting is not missed")
  func firstReads() {
    let store = SettingsStore.inMemory()
    for round in 0..<20_000 {
      let key = SettingsKey("key \(round)", default: 0)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 { store[key] = 1 } else { _ = store[key] }
      }
      guard store[key] == 1 else {
        Issue.record("in round \(round) the change was missed")
        return
      }
    }
  }

  @Test("A read returns a whole value, never parts of two") func wholeValues() async throws {
    let store = SettingsStore.inMemory()
    let property = AppStorage(wrappedValue: [Int](), "list", store: store)
    await withTaskGroup { group in
      for task in 1...4 {
        group.addTask {
          for _ in 0..<2500 { property.wrappedValue = Array(repeating: task, count: task * 10) }
        }
        group.addTask {
          for _ in 0..<2500 {
            let list = property.wrappedValue
            #expect(list.isEmpty || list == Array(repeating: list[0], count: list[0] * 10))
          }
        }
      }
    }
  }

  @Test("A read returns a whole value, also while values of one word and longer ones alternate")
  func wholeValuesOfMixedSizes() async throws {
    let store = SettingsStore.inMemory()
    let values: [PropertyList.Value] = [
      .integer(7), .real(1.5), .boolean(true), .unsigned(.max), .string("longer than one word is"),
      .integer(-1), .array([.integer(1)]),
    ]
    let key = SettingsKey("mixed", default: values[0])
    let number = SettingsKey("number", default: 0)
    let property = AppStorage(number, store: store)
    await withTaskGroup { group in
      for task in 0..<2 {
        group.addTask {
          for round in 0..<20_000 {
            store[key] = values[(round + task) % values.count]
            property.wrappedValue = round.isMultiple(of: 2) ? .max : .min
          }
        }
        group.addTask {
          for _ in 0..<20_000 {
            let value = store[key]
            #expect(values.contains(value))
            let (one, other) = (property.wrappedValue, store[number])
            #expect([0, .max, .min].contains(one) && [0, .max, .min].contains(other))
          }
        }
      }
    }
  }

  @Test("Every task finds the keys that any task has used, with their last values")
  func newKeys() async throws {
    let store = SettingsStore.inMemory()
    let keys = (0..<2000).map { SettingsKey("key \($0)", default: -1) }
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for (number, key) in keys.enumerated() where number >= task * 400 {
            let seen = store[key]
            #expect(seen == -1 || seen == number)
            if number % 4 == task { store[key] = number }
            if number % 4 == task { #expect(store[key] == number) }
          }
          for (number, key) in keys.enumerated() where number < task * 400 {
            if number % 4 == task { store[key] = number }
          }
        }
      }
    }
    for (number, key) in keys.enumerated() { #expect(store[key] == number) }
  }

  @Test("All tasks can synchronize at the same time") func synchronization() async throws {
    try await withHome { home in
      let store = try home.open()
      try await withThrowingTaskGroup { group in
        for task in 0..<16 {
          group.addTask {
            for round in 0..<20 {
              try store.set(round, for: SettingsKey("key \(task)", default: -1))
              try await store.synchronize()
            }
          }
        }
        try await group.waitForAll()
      }
      try synchronizeHere(store)
      #expect(try home.open().names.count == 16)
    }
  }

  /// The blocking form, for code that is not asynchronous.
  private func synchronizeHere(_ store: SettingsStore) throws {
    try store.synchronizeAndWait()
  }

  @Test("A store is written when its last reference is released") func lastReference() throws {
    try withHome { home in
      var property: AppStorage<Int>? = AppStorage(
        wrappedValue: 0, "count", store: try home.open())
      property?.wrappedValue = 5
      property = nil
      #expect(try home.text().contains("<integer>5</integer>"))
    }
  }
}
