import KeepsakePostgres
import KeepsakeTestSupport
import Testing

@Suite(
  "Machines that share settings through PostgreSQL", .timeLimit(.minutes(60)),
  .enabled(if: Cluster.hasPostgres))
struct PostgresFaultTests {
  @Test("keep what is promised, while the server and processes are killed, stopped and cut off")
  func faults() async throws {
    let cluster = try Cluster("--only", "postgres", "--partitions")
    let run = FaultyRun(
      try PostgresEngine(cluster.postgres, namespace: "faults"), named: "postgres",
      namespace: "faults", addresses: [cluster.postgres], nodes: ["postgres"], of: cluster)
    let problems = try await run.problems()
    #expect(problems == [])
  }
}
