import KeepsakePostgres
import KeepsakeTestSupport
import Testing

@Suite(
  "Stores that follow PostgreSQL", .timeLimit(.minutes(5)), .enabled(if: Cluster.hasPostgres))
struct PostgresFaultTests {
  @Test("agree, while the server is killed and stopped, and no change is lost or made twice")
  func faults() async throws {
    let cluster = try Cluster("--only", "postgres")
    let run = try FaultyRun(
      (0..<3).map { _ in try PostgresEngine(cluster.postgres, namespace: "faults") })
    let rounds = TestLength.isAtLeast(.long) ? 40 : TestLength.isAtLeast(.standard) ? 6 : 2
    let problems = try await run.problems(rounds: rounds) { round in
      try cluster.perform("\(round % 2 == 0 ? "kill" : "stop") postgres")
    } repair: { round in
      try cluster.perform("\(round % 2 == 0 ? "start" : "continue") postgres")
    }
    #expect(problems == [])
  }
}
