import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A disk that takes no more documents") struct FullDiskForCardsTests {
  @Test("P3: as it is full makes a save an error, leaves what was there, and goes on with room")
  func full() throws {
    try TemporaryDisk.with(size: "256k") { disk in
      let directory = CardDirectory(disk.root)
      let problems = ReportedProblems<DocumentError>()
      let store = try directory.open(problems)
      var card = WrittenCard(id: "card")
      card.text = "kept"
      try store.create(card)
      let image = try store.addAsset(writtenImage(3))
      card.images = [image.name]
      try store.save(card)
      let before = try directory.text("card")
      let names = try LocalFileSystem().contents(ofDirectory: directory.path).sorted()
      try disk.fill()

      var other = card
      other.text = String(repeating: "new", count: 4000)
      for _ in 0..<3 {
        let error = #expect(throws: DocumentError.self) { try store.save(other) }
        #expect(error?.code == .notWritten)
        #expect((error?.cause as? FileError)?.code == .noSpace)
        #expect(error?.description.contains("errno 28") == true)
      }
      let created = #expect(throws: DocumentError.self) {
        try store.create(WrittenCard(id: "other"))
      }
      #expect(created?.code == .notWritten)
      let added = #expect(throws: DocumentError.self) { try store.addAsset(writtenImage(2_000)) }
      #expect(added?.code == .notWritten)
      #expect(throws: DocumentError.self) {
        try store.save([card, other, WrittenCard(id: "third")])
      }
      // Nothing is half there, and nothing lies about.
      #expect(try directory.text("card") == before)
      #expect(try LocalFileSystem().contents(ofDirectory: directory.path).sorted() == names)
      #expect(try directory.open().load("card") == card)
      #expect(try store.asset(image) == writtenImage(3))

      try disk.empty()
      try store.save(other)
      try store.create(WrittenCard(id: "other"))
      #expect(try directory.open().load("card") == other)
      #expect(problems.all.isEmpty)
    }
  }

  @Test("P3: as no file may grow so long makes a save an error, and the process lives")
  func fileLimit() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("create card short") == "ok")
      #expect(try worker.ask("limit 600") == "ok")
      let before = try directory.text("card")
      let long = String(repeating: "long", count: 300)
      for _ in 0..<2 {
        let answer = try worker.ask("text card \(long)")
        #expect(answer.hasPrefix("error notWritten"))
        #expect(answer.contains("errno 27"))
        #expect(try worker.ask("image card 2000").hasPrefix("error notWritten"))
      }
      #expect(try directory.text("card") == before)
      #expect(try directory.visibleFiles() == ["card.rwcard"])
      #expect(try worker.ask("limit none") == "ok")
      #expect(try worker.ask("text card \(long)") == "ok")
      #expect(try directory.open().load("card").text == long)
      #expect(worker.problems == [])
    }
  }
}
