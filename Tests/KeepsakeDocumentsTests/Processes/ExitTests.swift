import KeepsakeDocuments
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P1: a process that exits") struct ExitTests {
  @Test("saves what it edited a moment before") func exit() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      try directory.open().create(WrittenCard(id: "card"))
      let worker = try directory.worker("edit-and-exit", "card", "at the last moment")
      #expect(try worker.readLines() == [])
      #expect(worker.problems == [])
      #expect(worker.wait() == 0)
      #expect(try directory.open().load("card").text == "at the last moment")
    }
  }
}
