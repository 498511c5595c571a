import KeepsakeEtcd
import KeepsakeTestSupport
import Testing

@Suite("Stores that follow etcd", .timeLimit(.minutes(5)), .enabled(if: Cluster.hasEtcd))
struct EtcdFaultTests {
  @Test("agree, while members are killed, stopped and started, and no change is lost or made twice")
  func faults() async throws {
    let cluster = try Cluster("--only", "etcd")
    let etcd = cluster.etcd
    let run = try FaultyRun(
      (0..<3).map { first in
        try EtcdEngine(
          EtcdCluster(endpoints: Array(etcd[first...] + etcd[..<first])), namespace: "faults")
      })
    let rounds = TestLength.isAtLeast(.long) ? 40 : TestLength.isAtLeast(.standard) ? 6 : 2
    let problems = try await run.problems(rounds: rounds) { round in
      try cluster.perform("\(round % 2 == 0 ? "kill" : "stop") etcd\(round % 3 + 1)")
    } repair: { round in
      try cluster.perform("\(round % 2 == 0 ? "start" : "continue") etcd\(round % 3 + 1)")
    }
    #expect(problems == [])
  }
}
