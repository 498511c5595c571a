import Foundation
import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Transactions on all machines", .timeLimit(.minutes(5)))
struct SharedTransactionTests {
  private let engine = InMemoryEngine(limits: .few)
  private let units = SettingsKey("units", default: "metric")
  private let seats = SettingsKey("seats", default: 0)

  private func open(_ directory: FilePath) throws -> SettingsStore {
    try engine.settings(in: directory)
  }

  @Test(
    "What a power cut has taken back, and was under way, does not replace what a transaction wrote")
  func lateAfterPowerCut() async throws {
    try await withTemporaryDirectory { directory in
      let (files, disk) = (directory.appending("files"), directory.appending("disk"))
      let held = Mutex<SyncCommit?>(nil)
      do {
        let store = try open(files)
        store[seats] = 1
        try await store.synchronize(.everywhere)
        let revision = await engine.model.revision
        try await eventually { store.syncLog?.revision == revision }
        try await store.synchronize()
        // What a power cut leaves.
        try FileManager.default.copyItem(atPath: files.string, toPath: disk.string)
        await engine.setBeforeCommit { commit throws(SyncError) in
          guard !commit.writes.isEmpty else { return }
          held.withLock { $0 = $0 ?? commit }
          throw .unreachable("The request was held up.")
        }
        store[units] = "lost"
        try await eventually { held.withLock { $0 != nil } }
      }
      await engine.setBeforeCommit { _ in }
      let store = try open(disk)
      try await store.transaction(.everywhere) { $0[units] = "transaction" }
      let result = await engine.performElsewhere(try #require(held.withLock { $0 }))
      if case .refused = result {} else { Issue.record("\(result)") }
      // Once is enough.
      let revision = await engine.model.revision
      try await store.transaction(.everywhere) { $0[units] = "next" }
      #expect(await engine.model.revision == revision + 1)
      try await eventually { store[units] == "next" }
    }
  }

  @Test("A transaction that only reads needs no right to write")
  func reading() async throws {
    try await withTemporaryDirectory { directory in
      do {
        let store = try open(directory)
        store[seats] = 1
        try await store.synchronize(.everywhere)
        let revision = await engine.model.revision
        try await eventually { store.syncLog?.revision == revision }
      }
      await engine.setFull(true)
      let store = try open(directory)
      #expect(try await store.transaction(.everywhere) { $0[seats] } == 1)
    }
  }

  @Test("Transactions go on where the engine is an earlier state of itself")
  func earlierEngine() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      store[seats] = 3
      try await store.synchronize(.everywhere)
      try await store.transaction(.everywhere) { $0[seats] -= 1 }
      let revision = await engine.model.revision
      try await store.transaction(.everywhere) { $0[seats] -= 1 }
      await engine.setBack(to: revision)
      try await store.transaction(.everywhere) { $0[seats] -= 1 }
      #expect(
        await engine.model.values == [Array("seats".utf8): Array("<integer>1</integer>".utf8)])
    }
  }

  @Test("Transactions have one winner, and none is made twice, while requests and answers are lost")
  func transactions() async throws {
    try await withTemporaryDirectory { directory in
      let machines = try ["a", "b", "c"].map { try open(directory.appending($0)) }
      machines[0][seats] = 1000
      try await machines[0].synchronize(.everywhere)
      await engine.setFaults(10)
      let (made, unknown) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for index in 0..<6 {
          group.addTask {
            var (made, unknown) = (0, 0)
            for _ in 0..<20 {
              do {
                let left = try await machines[index % 3].transaction(.everywhere) { settings in
                  settings[seats] -= 1
                  return settings[seats]
                }
                #expect(left < 1000)
                made += 1
              } catch is SyncError {
                unknown += 1
              }
            }
            return (made, unknown)
          }
        }
        return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
      }
      await engine.setFaults(0)
      let left = try await machines[1].transaction(.everywhere) { $0[seats] }
      #expect((1000 - made - unknown...1000 - made).contains(left))
      #expect(made > 60)
      try await eventually { machines.allSatisfy { $0[seats] == left } }
    }
  }

  @Test(
    "A transaction whose answer was lost may have been made, also if the engine rejects it then")
  func rejectionAfterLoss() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      await engine.fillSoon()
      let error = await #expect(throws: SyncError.self) {
        try await store.transaction(.everywhere) { $0[seats] += 1 }
      }
      #expect(error == .uncertain("The disk is full. The changes may have been made."))
      #expect(await engine.model.values.count == 1)
    }
  }

  @Test(
    "A transaction whose body has changed nothing in the end is not made later",
    arguments: [false, true])
  func heldTransaction(isThrowing: Bool) async throws {
    struct Taken: Error {}
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      let key = SyncKey.value(Array("units".utf8))
      let theirs = Array("<string>theirs</string>".utf8)
      await engine.holdNext(after: SyncCommit(conditions: [:], writes: [key: theirs]))
      func transaction() async throws {
        try await store.transaction(.everywhere) { settings in
          if settings[units] == "metric" {
            settings[units] = "ours"
          } else if isThrowing {
            throw Taken()
          }
        }
      }
      if isThrowing {
        await #expect(throws: Taken.self) { try await transaction() }
      } else {
        try await transaction()
      }
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: nil]))
      let result = await engine.performHeld()
      if case .refused = result {} else { Issue.record("\(String(describing: result))") }
      #expect(await engine.model.values.isEmpty)
      try await store.transaction(.everywhere) { $0[seats] += 1 }
      try await eventually { store[seats] == 1 && store[units] == "metric" }
    }
  }

  @Test("A record that somebody else has changed is reported, and changes are sent once it is gone")
  func changedRecord() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      store[seats] = 1
      try await store.synchronize(.everywhere)
      let origin = SyncKey.origin(try #require(store.syncLog?.origin))
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [origin: [1]]))
      store[seats] = 2
      let error = await #expect(throws: SyncError.self) {
        try await store.synchronize(.everywhere)
      }
      #expect(error?.description.contains("was changed by somebody else") == true)
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [origin: nil]))
      try await store.synchronize(.everywhere)
      #expect(await engine.model.values[Array("seats".utf8)] == Array("<integer>2</integer>".utf8))
    }
  }

  @Test("Transactions and changes go on where the records of earlier ones were removed")
  func removedRecords() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      for round in 1...3 {
        try await store.transaction(.everywhere) { $0[seats] += 1 }
        store[units] = "\(round)"
        try await store.synchronize(.everywhere)
        let keys = try await engine.read().items.keys.filter {
          if case .origin = $0 { true } else { false }
        }
        #expect(keys.count == 2)
        let removal = SyncCommit(
          conditions: [:], writes: Dictionary(uniqueKeysWithValues: keys.map { ($0, nil) }))
        _ = try await engine.perform(removal)
      }
      #expect(try await store.transaction(.everywhere) { $0[seats] } == 3)
    }
  }

  @Test("A transaction sees what others have acknowledged, and changes nothing where it throws")
  func linearizability() async throws {
    struct Refused: Error {}
    try await withTemporaryDirectory { directory in
      let (one, two) = (try open(directory.appending("a")), try open(directory.appending("b")))
      for number in 1...20 {
        one[seats] = number
        try await one.synchronize(.everywhere)
        #expect(try await two.transaction(.everywhere) { $0[seats] } == number)
      }
      await #expect(throws: Refused.self) {
        try await two.transaction(.everywhere) { settings in
          settings[seats] = 0
          throw Refused()
        }
      }
      try await two.transaction(.everywhere) { settings in
        settings[units] = "imperial"
        settings.remove(seats)
      }
      try await eventually { one[units] == "imperial" && one.names == ["units"] }
    }
  }

  @Test("A transaction that throws has read what the engine has, and not what this machine has")
  func refusedTransactions() async throws {
    struct SoldOut: Error {}
    try await withTemporaryDirectory { directory in
      let (one, two) = (try open(directory.appending("a")), try open(directory.appending("b")))
      for store in [one, two] { try await store.synchronize(.everywhere) }
      await engine.setSilent(true)
      one[seats] = 10
      try await one.synchronize(.everywhere)
      func take(_ count: Int) async throws -> Int {
        try await two.transaction(.everywhere) { settings in
          guard settings[seats] >= count else { throw SoldOut() }
          settings[seats] -= count
          return settings[seats]
        }
      }
      #expect(two[seats] == 0)
      #expect(try await take(1) == 9)
      await #expect(throws: SoldOut.self) { try await take(10) }
      #expect(try await take(9) == 0)
      await engine.setSilent(false)
      try await eventually { one[seats] == 0 && two[seats] == 0 }
    }
  }

  @Test("A transaction with another engine than before comes after what that lacks")
  func anotherEngine() async throws {
    try await withTemporaryDirectory { directory in
      var store: SettingsStore? = try open(directory)
      store?[seats] = 50
      try await store?.synchronize(.everywhere)
      try await eventually { store?.syncLog?.changes.isEmpty == true }
      store = nil
      await engine.replace()
      await engine.setDelay(.milliseconds(20))
      let again = try open(directory)
      let left = try await again.transaction(.everywhere) { settings in
        settings[seats] -= 1
        return settings[seats]
      }
      #expect(left == 49)
    }
  }

  @Test("What the engine has that is not a value is replaced by a transaction, and not read")
  func replacesUnreadable() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      let key = SyncKey.value(Array("units".utf8))
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: [1]]))
      await #expect(throws: SyncError.self) {
        try await store.transaction(.everywhere) { $0[units] += "!" }
      }
      try await store.transaction(.everywhere) { $0[units] = "imperial" }
      #expect(try await store.transaction(.everywhere) { $0[units] } == "imperial")
    }
  }

  @Test("A value that is too large concerns no transaction that reads it only by mistake")
  func largeValueHere() async throws {
    try await withTemporaryDirectory { directory in
      let (one, two) = (try open(directory.appending("a")), try open(directory.appending("b")))
      for store in [one, two] { try await store.synchronize(.everywhere) }
      await engine.setSilent(true)
      one[seats] = 5
      try await one.synchronize(.everywhere)
      two[units] = String(repeating: "x", count: 2000)
      let count = try await two.transaction(.everywhere) { settings in
        if settings[seats] == 0 { _ = settings[units] }
        settings[seats] += 1
        return settings[seats]
      }
      #expect(count == 6)
    }
  }

  @Test("Of a transaction that becomes too large, no attempt is made later")
  func growingTransaction() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try await store.synchronize(.everywhere)
      let key = SyncKey.value(Array("units".utf8))
      let theirs = Array("<string>theirs</string>".utf8)
      await engine.holdNext(after: SyncCommit(conditions: [:], writes: [key: theirs]))
      await #expect(throws: SyncError.self) {
        try await store.transaction(.everywhere) { settings in
          let count = settings[units] == "metric" ? 1 : 10
          for number in 0..<count { settings[SettingsKey("key\(number)", default: 0)] = 1 }
        }
      }
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: nil]))
      guard case .refused = await engine.performHeld() else {
        Issue.record("it was made")
        return
      }
    }
  }

  @Test("A transaction keeps what a newer version of the app has just written elsewhere")
  func newerVersions() async throws {
    struct Profile: Codable, Equatable, Sendable { var name = "" }
    struct NewerProfile: Codable, Equatable, Sendable { var (name, age) = ("", 0) }
    let profile = SettingsKey("profile", default: Profile())
    let newer = SettingsKey("profile", default: NewerProfile())
    try await withTemporaryDirectory { directory in
      let (one, two) = (try open(directory.appending("a")), try open(directory.appending("b")))
      for store in [one, two] { try await store.synchronize(.everywhere) }
      await engine.setSilent(true)
      one[newer] = NewerProfile(name: "Ada", age: 36)
      try await one.synchronize(.everywhere)
      try await two.transaction(.everywhere) { $0[profile] = Profile(name: "Grace") }
      await engine.setSilent(false)
      try await eventually { one[newer] == NewerProfile(name: "Grace", age: 36) }
    }
  }
}
