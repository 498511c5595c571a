import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P5: A process that is stopped or forked while it holds the documents' lock")
struct StoppedHolderTests {
  @Test(
    "A save of another is an error that names it; a later one succeeds", .timeLimit(.minutes(10)))
  func stopped() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let problems = ReportedProblems<DocumentError>()
      let store = try directory.open(problems)
      var card = WrittenCard(id: "card")
      card.text = "before"
      try store.save(card)
      let live = try store.open("card")
      let holder = try Worker(["lock", directory.path.appending(".rwcard.lock").string])
      #expect(try holder.readLine() == "locked")
      kill(holder.process, SIGSTOP)

      live.edit { $0.text = "after" }
      let error = #expect(throws: DocumentError.self) { try live.save() }
      #expect(error?.code == .notWritten)
      #expect(error.map { "\($0)".contains("process \(holder.process)") } == true)
      // Reading needs no lock.
      #expect(try directory.open().load("card").text == "before")
      #expect(live.value.text == "after" && live.hasUnsavedChanges)

      holder.kill()
      try live.save()
      #expect(try directory.open().load("card").text == "after")
      #expect(live.conflict == nil)
    }
  }

  @Test(
    "A save is an error while a child holds the lock of its parent that ended; a later one succeeds",
    .timeLimit(.minutes(10)))
  func forked() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      try store.save(WrittenCard(id: "card"))
      let parent = try Worker(["fork-and-end", directory.path.appending(".rwcard.lock").string])
      let child = try #require(pid_t(parent.readLine() ?? ""))
      #expect(parent.wait() == 0)
      defer { kill(child, SIGKILL) }
      var card = WrittenCard(id: "card")
      card.text = "after"
      let error = #expect(throws: DocumentError.self) { try store.save(card) }
      #expect(error?.code == .notWritten)
      #expect(error.map { "\($0)".contains("forked by process \(parent.process)") } == true)
      kill(child, SIGKILL)
      try store.save(card)
      #expect(try directory.open().load("card").text == "after")
    }
  }
}
