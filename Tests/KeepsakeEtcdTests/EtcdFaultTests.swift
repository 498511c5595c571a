import KeepsakeEtcd
import KeepsakeSync
import KeepsakeTestSupport
import Testing

@Suite("Stores that follow etcd", .timeLimit(.minutes(5)), .enabled(if: Cluster.hasEtcd))
struct EtcdFaultTests {
  @Test("agree, while members are killed, stopped and started, and no change is lost or made twice")
  func faults() async throws {
    let cluster = try Cluster("--only", "etcd")
    func engine(_ first: Int) throws -> EtcdEngine {
      let etcd = cluster.etcd
      return try EtcdEngine(
        EtcdCluster(endpoints: Array(etcd[first...] + etcd[..<first])), namespace: "faults")
    }
    var timing = SyncTiming()
    timing.answer = .seconds(1)
    timing.silence = .seconds(1)
    timing.retry = .milliseconds(20) ... .milliseconds(500)
    var drivers: [SyncDriver] = []
    for index in 0..<3 {
      let replica = Replica(origin: SyncOrigin(id: "\(index)"))
      let driver = SyncDriver(replica, engine: try engine(index), timing: timing) { _ in }
      await driver.start()
      drivers.append(driver)
    }
    let nodes = ["etcd1", "etcd2", "etcd3"]
    var number = 0
    let rounds = TestLength.isAtLeast(.long) ? 40 : TestLength.isAtLeast(.standard) ? 6 : 2
    for round in 0..<rounds {
      let node = nodes[round % 3]
      let (fault, repair) = round % 2 == 0 ? ("kill", "start") : ("stop", "continue")
      try cluster.perform("\(fault) \(node)")
      for _ in 0..<200 {
        number += 1
        await drivers[number % 3].set(Array("\(number)".utf8), for: Array("\(number % 7)".utf8))
        try await Task.sleep(for: .milliseconds(10))
      }
      try cluster.perform("\(repair) \(node)")
    }
    let observer = try engine(0)
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
