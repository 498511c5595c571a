import KeepsakeEtcd
import KeepsakeTestSupport
import Testing

@Suite(
  "Machines that share settings through etcd", .timeLimit(.minutes(60)),
  .enabled(if: Cluster.hasEtcd))
struct EtcdFaultTests {
  @Test("keep what is promised, while nodes and processes are killed, stopped and cut off")
  func faults() async throws {
    let cluster = try Cluster("--only", "etcd", "--partitions")
    let run = FaultyRun(
      try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "faults"), named: "etcd",
      namespace: "faults", addresses: cluster.etcd, nodes: ["etcd1", "etcd2", "etcd3"], of: cluster)
    let problems = try await run.problems()
    #expect(problems == [])
  }
}
