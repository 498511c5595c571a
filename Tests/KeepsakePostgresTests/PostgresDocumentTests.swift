import Foundation
import KeepsakePostgres
import KeepsakeTestSupport
import Testing

@Suite(
  "Documents in PostgreSQL", .timeLimit(.minutes(5)), .enabled(if: Cluster.hasPostgres))
struct PostgresDocumentTests {
  private struct Card: Codable, Identifiable, Sendable {
    var id: String
    var title = ""
    var picture: Asset?
  }

  @Test("Machines agree about documents and their pictures, and a person can read and change them")
  func agreement() async throws {
    let cluster = try Cluster("--only", "postgres")
    try await withTemporaryDirectory { directory in
      func open(_ name: String) throws -> DocumentStore<Card> {
        try DocumentStore<Card>(
          directory: directory.appending(name), pathExtension: "card",
          sync: .postgres(cluster.postgres, namespace: "cards"))
      }
      let (one, two) = (try open("a"), try open("b"))
      let picture =
        Asset.ContentType.png.signatures[0].map { $0! }
        + (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try one.create(Card(id: "x", title: "one", picture: try one.addAsset(picture)))
      try await one.synchronize(.everywhere)
      while try two.ids().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      #expect(try two.asset(try #require(two.load("x").picture)) == picture)
      try two.edit("x") { $0.title = "two" }
      try await two.synchronize(.everywhere)
      while try one.load("x").title != "two" { try await Task.sleep(for: .milliseconds(10)) }
      try cluster.psql(
        """
        SELECT keepsake.put('cards', key, replace(value, '"two"', '"three"'))
        FROM keepsake.contents WHERE key = 'x.card'
        """)
      for store in [one, two] {
        while try store.load("x").title != "three" { try await Task.sleep(for: .milliseconds(10)) }
      }
      // Chunks are in no commit that is kept for who follows.
      let kept = try cluster.psql(
        "SELECT sum(pg_column_size(contents)) < 20000 FROM keepsake.commits")
      #expect(kept == "t\n")
    }
  }
}
