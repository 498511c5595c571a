import KeepsakeDocuments
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P5: two processes") struct TwoEditorsTests {
  @Test(
    "that edit one card lose no change, and make both where they meet",
    arguments: [["edit", "edit", "edit"], ["edit-live", "edit-live"], ["edit", "edit-live"]])
  func oneCard(_ commands: [String]) throws {
    try withTemporaryDirectory(isInMemory: true) { root in
      let directory = CardDirectory(root)
      try directory.open().create(WrittenCard(id: "card"))
      let count = 100
      let workers = try commands.enumerated().map { index, command in
        try directory.worker(command, "card", "editor\(index)", "\(count)")
      }
      var conflicts = 0
      for worker in workers {
        var saves = 0
        while let line = try worker.readLine() {
          if line == "saved" { saves += 1 } else { conflicts += 1 }
        }
        #expect(saves == count)
        // On a slow machine an autosave may come first, and say what it met.
        #expect(worker.problems.filter { !$0.hasPrefix("conflict ") } == [])
        #expect(worker.wait() == 0)
      }
      let card = try directory.open().load("card")
      for index in commands.indices { #expect(card.counts["editor\(index)"] == count) }
      #expect(card.counts.count == commands.count)
      #expect(try directory.visibleFiles() == ["card.rwcard"])
      print("conflicts: \(conflicts) in \(count * commands.count) changes by \(commands)")
    }
  }

  @Test("that edit different cards never meet") func differentCards() throws {
    try withTemporaryDirectory(isInMemory: true) { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      for id in ["one", "other"] { try store.create(WrittenCard(id: id)) }
      let workers = try ["one", "other"].map { try directory.worker("edit", $0, "ann", "150") }
      for worker in workers {
        var lines: [String] = []
        while let line = try worker.readLine() { lines.append(line) }
        #expect(lines == Array(repeating: "saved", count: 150))
        #expect(worker.problems == [])
      }
      for id in ["one", "other"] {
        let card = try store.load(id)
        #expect(card.counts == ["ann": 150])
      }
    }
  }

  @Test("that have loaded one card: the second to save gets an error, with what the first wrote")
  func staleSave() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let one = try directory.server()
      let other = try directory.server()
      #expect(try one.ask("create card start") == "ok")
      #expect(try other.ask("load card") == "start []")
      #expect(try one.ask("text card first") == "ok")
      let answer = try other.ask("text card second")
      #expect(answer.hasPrefix("error conflict"))
      #expect(answer.contains(#""text":"second""#))
      #expect(answer.contains(directory.file("card").string))
      #expect(try directory.text("card").contains("\"first\""))
      #expect(try other.ask("load card") == "first []")
      #expect(try other.ask("text card second") == "ok")
      #expect(try directory.text("card").contains("\"second\""))
      // One that was never loaded is not written over either.
      let third = try directory.server()
      #expect(try third.ask("text card third").hasPrefix("error conflict"))
      #expect(try third.ask("create card third").hasPrefix("error exists"))
      #expect(try directory.text("card").contains("\"second\""))
    }
  }

  @Test("of which one removes what the other edits: the edit gets an error, and can be kept")
  func removedMeanwhile() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("create card start") == "ok")
      try directory.open().remove("card")
      #expect(try worker.ask("text card more").hasPrefix("error conflict"))
      #expect(try directory.visibleFiles() == [])
      #expect(try worker.ask("create card more") == "ok")
      #expect(try directory.text("card").contains("\"more\""))
    }
  }
}
