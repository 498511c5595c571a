import KeepsakeDocuments
import KeepsakeTestSupport
import Testing

@Suite("A batch of documents") struct LargeBatchTests {
  @Test("may have more of them than a process may have files open") func handles() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("handles 64") == "ok")
      #expect(try worker.ask("batch 200") == "ok")
      #expect(try directory.open().ids().count == 200)
      #expect(worker.problems == [])
    }
  }
}
