import KeepsakeBase
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@testable import KeepsakeSync

@Suite("Stores that follow an engine", .timeLimit(.minutes(5)))
struct SyncDriverTests {
  private let engine = InMemoryEngine(limits: .few)
  private let timing: SyncTiming = {
    var timing = SyncTiming()
    timing.answer = .milliseconds(40)
    timing.resend = .milliseconds(40)
    timing.patience = .milliseconds(40)
    timing.silence = .milliseconds(40)
    timing.retry = .milliseconds(1) ... .milliseconds(10)
    return timing
  }()

  /// A store that a driver follows.
  private struct Follower: Sendable {
    let store: DurableStoreModel
    let driver: SyncDriver

    func set(_ value: String, for name: String) async {
      store.set(Array(value.utf8), for: SettingsName(name))
      await driver.storeChanged()
    }
  }

  private func follower(
    _ name: String, isDiskFull: Bool = false, timing: SyncTiming? = nil
  ) async -> Follower {
    let store = DurableStoreModel(origin: name, isDiskFull: isDiskFull)
    let driver = SyncDriver(store, engine: engine, timing: timing ?? self.timing)
    await driver.start()
    return Follower(store: store, driver: driver)
  }

  private func agree(_ followers: [Follower]) async throws {
    try await eventually {
      let values = await engine.model.values
      for follower in followers {
        let status = await follower.driver.status
        if status.state != .current || follower.store.values != values { return false }
      }
      return true
    }
  }

  @Test("agree, while requests, answers and connections are lost, and no change is made twice")
  func agreement() async throws {
    let followers = await [follower("a"), follower("b"), follower("c")]
    await engine.setFaults(20)
    var random = SeededRandom(seed: 7)
    for number in 0..<600 {
      let index = Int.random(in: followers.indices, using: &random)
      let name = String(Int.random(in: 0..<6, using: &random))
      await followers[index].set("\(index)-\(number)", for: name)
      if number % 20 == 0 { try? await Task.sleep(for: .milliseconds(5)) }
      if number % 150 == 0 { await engine.compact() }
    }
    await engine.setFaults(0)
    try await agree(followers)
    let written = await engine.model.changes.flatMap { change in
      change.writes.compactMap { key, value -> [UInt8]? in
        if case .value = key { value } else { nil }
      }
    }
    #expect(Set(written).count == written.count)
    for follower in followers { await follower.driver.end() }
  }

  @Test("notice a connection that stays open and brings nothing")
  func silence() async throws {
    let followers = await [follower("a"), follower("b")]
    try await agree(followers)
    await engine.setSilent(true)
    await followers[0].set("1", for: "a")
    try await eventually { await engine.model.values.count == 1 }
    try await eventually {
      if case .offline = await followers[1].driver.status.state { true } else { false }
    }
    await engine.setSilent(false)
    try await agree(followers)
    for follower in followers { await follower.driver.end() }
  }

  @Test("notice a silent connection within a quarter of a minute, unless others were silent before")
  func silenceByDefault() {
    let timing = SyncTiming()
    #expect(timing.silence + timing.answer * 2 <= .seconds(15))
  }

  @Test("notice that another engine answers than the one that a connection is open to")
  func replacedBehindConnection() async throws {
    let follower = await follower("a")
    await follower.set("1", for: "a")
    try await agree([follower])
    await engine.setSilent(true)
    await engine.replace()
    try await eventually { await engine.model.values == follower.store.values }
    await engine.setSilent(false)
    try await agree([follower])
    await follower.driver.end()
  }

  @Test("notice that an engine was set back that answers beside a silent connection")
  func setBackBehindConnection() async throws {
    let follower = await follower("a")
    for value in ["1", "2"] {
      await follower.set(value, for: value)
      try await agree([follower])
    }
    await engine.setSilent(true)
    await engine.setBack(to: 1)
    try await eventually { await engine.model.values == follower.store.values }
    await engine.setSilent(false)
    try await agree([follower])
    #expect(follower.store.values.count == 2)
    await follower.driver.end()
  }

  @Test("wait longer each time where connections open, and what there is does not come")
  func rejectedChanges() async throws {
    var timing = timing
    timing.retry = .milliseconds(20) ... .seconds(10)
    let follower = await follower("a", timing: timing)
    try await agree([follower])
    await engine.setRejectsChanges(true)
    _ = await engine.performElsewhere(
      SyncCommit(conditions: [:], writes: [.value(Array("b".utf8)): [1]]))
    let openings = await engine.openings
    try await Task.sleep(for: .seconds(1))
    #expect(await engine.openings < openings + 15)
    guard case .offline(.rejected) = await follower.driver.status.state else {
      Issue.record("\(await follower.driver.status)")
      return
    }
    await engine.setRejectsChanges(false)
    try await agree([follower])
    await follower.driver.end()
  }

  @Test("notice a connection that never opens")
  func neverOpening() async throws {
    await engine.setMute(true)
    let follower = await follower("a")
    try await eventually {
      if case .offline(.unreachable) = await follower.driver.status.state { true } else { false }
    }
    await engine.setMute(false)
    try await agree([follower])
    await follower.driver.end()
  }

  @Test("wait longer each time where they cannot take what the engine has")
  func readOnly() async throws {
    var timing = timing
    timing.retry = .milliseconds(20) ... .seconds(10)
    let store = DurableStoreModel(origin: "a")
    let driver = SyncDriver(store, engine: engine, timing: timing)
    let other = DurableStoreModel(origin: "b")
    var patient = self.timing
    (patient.answer, patient.silence) = (.seconds(10), .seconds(10))
    let followers = [
      Follower(store: store, driver: driver),
      Follower(store: other, driver: SyncDriver(other, engine: engine, timing: patient)),
    ]
    for follower in followers { await follower.driver.start() }
    try await agree(followers)
    store.isReadOnly = true
    await followers[1].set("1", for: "a")
    let count = await engine.openings
    try await eventually { await engine.openings > count }
    try await Task.sleep(for: .seconds(1))
    #expect(await engine.openings < count + 20)
    #expect(await driver.status.state != .current)
    store.isReadOnly = false
    try await agree(followers)
    for follower in followers { await follower.driver.end() }
  }

  @Test("wait longer each time where they cannot take what they have read")
  func readOnlyFromTheStart() async throws {
    var timing = timing
    timing.retry = .milliseconds(20) ... .seconds(10)
    let store = DurableStoreModel(origin: "a")
    store.isReadOnly = true
    let driver = SyncDriver(store, engine: engine, timing: timing)
    await driver.start()
    try await eventually { await engine.readings > 1 }
    try await Task.sleep(for: .seconds(1))
    #expect(await engine.readings < 20)
    try await eventually {
      if case .offline(.storage) = await driver.status.state { true } else { false }
    }
    store.isReadOnly = false
    try await agree([Follower(store: store, driver: driver)])
    await driver.end()
  }

  @Test("are current again where only the answer to their last change was lost")
  func lostAnswer() async throws {
    var timing = timing
    (timing.answer, timing.resend, timing.patience) = (.seconds(10), .seconds(10), .seconds(10))
    let store = DurableStoreModel(origin: "a")
    let driver = SyncDriver(store, engine: engine, timing: timing)
    await driver.start()
    let follower = Follower(store: store, driver: driver)
    try await agree([follower])
    await engine.loseNextAnswer()
    await follower.set("1", for: "a")
    try await eventually { await engine.lostAnswers == 1 }
    try await agree([follower])
    await driver.end()
  }

  @Test("wait for what takes long, as on a slow network, if they were not answered before")
  func patience() async throws {
    var timing = timing
    timing.patience = .seconds(60)
    await engine.setDelay(.milliseconds(200))
    let store = DurableStoreModel(origin: "a")
    let driver = SyncDriver(store, engine: engine, timing: timing)
    await driver.start()
    store.set([1], for: SettingsName("a"))
    await driver.storeChanged()
    try await eventually { await engine.model.values == store.values }
    try await agree([Follower(store: store, driver: driver)])
    await driver.end()
  }

  @Test("wait for a commit by its length, also where they were answered soon before")
  func length() async throws {
    var timing = timing
    timing.transfer = .milliseconds(100)
    let requests = SyncRequests(engine, timing: timing)
    _ = try await requests.perform(SyncCommit(reading: [.value([97])]))
    await engine.setDelay(.milliseconds(200))
    let commit = SyncCommit(conditions: [:], writes: [.value([97]): [1]])
    #expect(try await requests.perform(commit) == .committed(revision: 1))
    let question = SyncCommit(reading: [.value([97])])
    await #expect(throws: SyncError.self) { try await requests.perform(question) }
    guard case .refused = try await requests.perform(question, answerLength: 100) else {
      Issue.record("It was made.")
      return
    }
  }

  @Test("wait longer each time for what is long, although what is short is answered at once")
  func shortBetween() async throws {
    var timing = timing
    timing.patience = .seconds(60)
    timing.transfer = .zero
    let requests = SyncRequests(engine, timing: timing)
    let question = SyncCommit(reading: [.value([97])])
    for _ in 0..<10 {
      _ = try await requests.perform(question)
      await engine.setDelay(.milliseconds(200))
      let answer = try? await requests.perform(question, answerLength: 1 << 20)
      await engine.setDelay(.zero)
      if answer != nil { return }
    }
    Issue.record("It is not waited for.")
  }

  @Test("wait for what takes long to come through a connection, as on a slow network")
  func slowTransfer() async throws {
    var timing = timing
    timing.patience = .seconds(60)
    let store = DurableStoreModel(origin: "a")
    let driver = SyncDriver(store, engine: engine, timing: timing)
    await driver.start()
    try await agree([Follower(store: store, driver: driver)])
    await engine.setTransferTime(.milliseconds(300))
    _ = await engine.performElsewhere(
      SyncCommit(conditions: [:], writes: [.value([98]): [2]]))
    try await agree([Follower(store: store, driver: driver)])
    await driver.end()
  }

  @Test("send nothing to another engine of what is flushed while that takes the place of theirs")
  func replacedWhileFlushing() async throws {
    let store = DurableStoreModel(origin: "a")
    let driver = SyncDriver(store, engine: engine, timing: timing)
    await driver.start()
    try await agree([Follower(store: store, driver: driver)])
    store.setFlushTime(.milliseconds(400))
    let flushes = store.flushes
    // More than one commit takes, so that nothing is sent before it is flushed.
    for name in 0..<10 { store.set([1], for: SettingsName("\(name)")) }
    await driver.storeChanged()
    try await eventually { store.flushes.begun > flushes.begun }
    // Another process has them made, and joins another engine, which has other values.
    try store.receive { view in
      var received = Received()
      received.update.cluster = "two"
      received.update.revision = 7
      received.update.shown =
        view.log.changes.values.map(\.number).max().map { ["a": $0] } ?? [:]
      for name in view.names { received.writes[name] = [2] }
      return received
    }
    var writes: [SyncKey: [UInt8]?] = [:]
    for name in 0..<10 { writes[.value(Array("\(name)".utf8))] = [2] }
    await engine.replace()
    for _ in 0..<7 {
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: writes))
    }
    try await eventually { store.flushes.ended > flushes.ended }
    try await driver.sent()
    try await agree([Follower(store: store, driver: driver)])
    #expect(await engine.model.changes.count == 7)
    await driver.end()
  }

  @Test("ask less often each time where something is rejected, and say so, although others commit")
  func rejected() async throws {
    var timing = timing
    timing.retry = .milliseconds(20) ... .seconds(10)
    let store = DurableStoreModel(origin: "a")
    let driver = SyncDriver(store, engine: engine, timing: timing)
    let other = await follower("b")
    let follower = Follower(store: store, driver: driver)
    await driver.start()
    try await agree([follower, other])
    let count = Mutex(0)
    await engine.setBeforeCommit { commit throws(SyncError) in
      guard commit.writes[.value([97])] != nil else { return }
      count.withLock { $0 += 1 }
      throw .rejected("Permission was denied.")
    }
    await follower.set("1", for: "a")
    try await eventually { count.withLock { $0 } == 1 }
    try await eventually {
      if case .offline(.rejected) = await driver.status.state { true } else { false }
    }
    for number in 0..<200 {
      await other.set("\(number)", for: "b")
      try await Task.sleep(for: .milliseconds(5))
      guard case .offline(.rejected) = await driver.status.state else {
        Issue.record("It does not say so.")
        break
      }
    }
    #expect(count.withLock { $0 } < 20)
    await engine.setBeforeCommit { _ in }
    try await driver.sent()
    try await agree([follower, other])
    for follower in [follower, other] { await follower.driver.end() }
  }

  @Test("say that what they offer is not answered, although all else is")
  func unansweredCommits() async throws {
    let followers = await [follower("a"), follower("b")]
    try await agree(followers)
    await engine.setBeforeCommit { commit throws(SyncError) in
      if commit.writes[.value([97])] != nil { try? await Task.sleep(for: .seconds(3600)) }
    }
    let setting = Task {
      for number in 0... {
        await followers[1].set("\(number)", for: "b")
        try await Task.sleep(for: .milliseconds(2))
      }
    }
    await followers[0].set("1", for: "a")
    await #expect(throws: SyncError.self) { try await followers[0].driver.sent(waits: false) }
    setting.cancel()
    await engine.setBeforeCommit { _ in }
    try await eventually { (try? await followers[0].driver.sent(waits: false)) != nil }
    for follower in followers { await follower.driver.end() }
  }

  @Test("send nothing that their disk does not have, if it is more than one commit takes")
  func failingDisk() async throws {
    let follower = await follower("a", isDiskFull: true)
    for name in 0..<10 { follower.store.set([1], for: SettingsName("\(name)")) }
    await follower.driver.storeChanged()
    try await eventually { follower.store.refusals > 3 }
    #expect(await follower.driver.status.state != .current)
    #expect(await engine.model.values.isEmpty)
    follower.store.isDiskFull = false
    try await agree([follower])
    #expect(await engine.model.values.count == 10)
    await follower.driver.end()
  }
}
