#if Console
import KeepsakeDocuments
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@testable import KeepsakeConsole
@testable import KeepsakeSync

@Suite("The console's documents that machines share", .timeLimit(.minutes(5)))
struct ConsoleDocumentsTests {
  private struct Card: Codable, Identifiable, Sendable {
    var id: String
    var title = ""
  }

  @Test("say which revision they have, what is to be sent, and where both changes were kept")
  func rows() async throws {
    let engine = InMemoryEngine(limits: .few)
    try await withTemporaryDirectory { directory in
      func open(isShared: Bool) throws -> DocumentStore<Card> {
        let store = try DocumentStore<Card>(directory: directory, pathExtension: "card")
        if isShared { try store.share(through: engine, timing: .short) }
        return store
      }
      let console = ConsoleDocuments(directory: directory)
      func row(_ id: String) -> ConsoleRow? { console.rows().first { $0.id == id } }
      do {
        let store = try open(isShared: true)
        try store.save(Card(id: "x", title: "base"))
        try await store.synchronize(.everywhere)
        try await eventually {
          row("documents card shared")?.text.hasSuffix(", 0 not sent") == true
        }
        #expect(row("document/card/x")?.isToBeSent == false)
      }
      try await eventually { await engine.connections == 0 }

      try open(isShared: false).edit("x") { $0.title = "mine" }
      try await eventually { row("document/card/x")?.isToBeSent == true }
      #expect(row("documents card shared")?.text.hasSuffix(", 1 not sent") == true)
      let theirs = Array(#"{"id": "x", "title": "theirs"}"#.utf8)
      _ = try await engine.perform(
        SyncCommit(conditions: [:], writes: [.value(Array("x.card".utf8)): theirs]))
      let store = try open(isShared: true)
      try await eventually { console.rows().contains { $0.section == "Conflicts" } }
      let conflict = try #require(console.rows().first { $0.section == "Conflicts" })
      #expect(conflict.name == "x" && conflict.text.contains("on another machine"))
      try await store.synchronize(.everywhere)
      try await eventually {
        row("documents card shared")?.text.hasSuffix(", 0 not sent") == true
      }
    }
  }
}
#endif
