import KeepsakePostgres
import KeepsakeSync
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@Suite(
  "A namespace in PostgreSQL", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Cluster.hasPostgres))
struct PostgresEngineTests {
  @Test("It does what an engine must do")
  func conformance() async throws {
    let cluster = try Cluster("--only", "postgres")
    let conformance = SyncEngineConformance { [postgres = cluster.postgres] namespace in
      try PostgresEngine(postgres, namespace: namespace)
    }
    #expect(try await conformance.violations() == [])
  }
}
