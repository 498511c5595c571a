import KeepsakePostgres
import KeepsakeSync
import KeepsakeTestSupport
import Testing

@Suite(
  "Stores that follow PostgreSQL", .timeLimit(.minutes(5)), .enabled(if: Cluster.hasPostgres))
struct PostgresFaultTests {
  @Test("agree, while the server is killed and stopped, and no change is lost or made twice")
  func faults() async throws {
    let cluster = try Cluster("--only", "postgres")
    func engine() throws -> PostgresEngine {
      try PostgresEngine(cluster.postgres, namespace: "faults")
    }
    var timing = SyncTiming()
    timing.answer = .seconds(1)
    timing.silence = .seconds(1)
    timing.retry = .milliseconds(20) ... .milliseconds(500)
    var drivers: [SyncDriver] = []
    for index in 0..<3 {
      let replica = Replica(origin: SyncOrigin(id: "\(index)"))
      let driver = SyncDriver(replica, engine: try engine(), timing: timing) { _ in }
      await driver.start()
      drivers.append(driver)
    }
    var number = 0
    let rounds = TestLength.isAtLeast(.long) ? 40 : TestLength.isAtLeast(.standard) ? 6 : 2
    for round in 0..<rounds {
      let (fault, repair) = round % 2 == 0 ? ("kill", "start") : ("stop", "continue")
      for step in 0..<300 {
        if step == 100 { try cluster.perform("\(fault) postgres") }
        if step == 200 { try cluster.perform("\(repair) postgres") }
        number += 1
        await drivers[number % 3].set(Array("\(number)".utf8), for: Array("\(number % 7)".utf8))
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    let observer = try engine()
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      var values: [[[UInt8]: [UInt8]]] = []
      for driver in drivers where await driver.status == .current {
        values.append(await driver.values)
      }
      if values.count == 3, values.allSatisfy({ $0 == values[0] }) {
        let snapshot = try await observer.read()
        #expect(snapshot.values == values[0])
        break
      }
      try #require(.now < deadline, "They do not agree.")
      try await Task.sleep(for: .milliseconds(50))
    }
    // Every commit that was ever made: a value is in one of them.
    let revision = try await observer.check()
    let written = Written()
    let history = Task {
      try await observer.follow(after: 0) { message in
        if case .change(let change) = message { await written.add(change) }
      }
    }
    while await written.revision < revision { try await Task.sleep(for: .milliseconds(10)) }
    history.cancel()
    let all = await written.values
    #expect(Set(all).count == all.count)
    #expect(all.contains(Array("\(number)".utf8)))
    for driver in drivers { await driver.end() }
  }

  private actor Written {
    private(set) var values: [[UInt8]] = []
    private(set) var revision: UInt64 = 0

    func add(_ change: SyncChange) {
      revision = change.revision
      for case (.value, let value?) in change.writes { values.append(value) }
    }
  }
}

extension SyncSnapshot {
  fileprivate var values: [[UInt8]: [UInt8]] {
    var values: [[UInt8]: [UInt8]] = [:]
    for case (.value(let key), let item) in items { values[key] = item.value }
    return values
  }
}
