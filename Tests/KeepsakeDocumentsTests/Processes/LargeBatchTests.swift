import KeepsakeDocuments
import KeepsakeTestSupport
import Testing

@Suite("A batch of documents") struct LargeBatchTests {
  @Test("may have more of them than a process may have files open") func handles() throws {
    try withTemporaryFolder { root in
      let folder = CardFolder(root)
      let worker = try folder.server()
      #expect(try worker.ask("handles 64") == "ok")
      #expect(try worker.ask("batch 200") == "ok")
      #expect(try folder.open().ids().count == 200)
      #expect(worker.problems == [])
    }
  }
}
