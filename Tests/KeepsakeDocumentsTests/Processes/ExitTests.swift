import KeepsakeDocuments
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P1: a process that exits") struct ExitTests {
  @Test("saves what it edited a moment before") func exit() throws {
    try withTemporaryFolder { root in
      let folder = CardFolder(root)
      try folder.open().create(WrittenCard(id: "card"))
      let worker = try folder.worker("edit-and-exit", "card", "at the last moment")
      #expect(try worker.readLines() == [])
      #expect(worker.problems == [])
      #expect(worker.wait() == 0)
      #expect(try folder.open().load("card").text == "at the last moment")
    }
  }
}
