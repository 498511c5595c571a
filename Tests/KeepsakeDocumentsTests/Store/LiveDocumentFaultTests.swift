import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("An open document") struct LiveDocumentFaultTests {
  let directory = Directory()
  let clock = ManualClock()

  private func open() throws -> DocumentStore<Card> {
    var configuration = DocumentConfiguration()
    configuration.clock = clock
    return try directory.open(configuration)
  }

  private func saved() throws -> String { try directory.open().load("1").title }

  @Test("P2: takes what it wrote for its base where only the last flush was refused")
  func refusedFlush() throws {
    let files = InterruptedDisk(directory.disk)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: files)
    let live = try store.add(Card(id: "1", title: "0"))
    for number in 1...60 {
      live.edit { $0.title = "\(number)" }
      // A save tries twice.
      files.refuseNextDirectoryFlushes(2)
      let error = #expect(throws: DocumentError.self) { try live.save() }
      #expect(error?.code == .notDurable)
      #expect(live.conflict == nil && live.hasUnsavedChanges)
      #expect(try saved() == "\(number)")
    }
    try live.save()
    #expect(!live.hasUnsavedChanges)
    live.edit { $0.title = "last" }
    try live.save()
    #expect(try saved() == "last")
  }

  @Test("P2: still sees that somebody else changed the file after a refused flush")
  func changeAfterRefusedFlush() throws {
    let files = InterruptedDisk(directory.disk)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: files)
    let live = try store.add(Card(id: "1", title: "old"))
    live.edit { $0.title = "mine" }
    files.refuseNextDirectoryFlushes(2)
    #expect(throws: DocumentError.self) { try live.save() }
    let theirs = #"{"id":"1","title":"theirs","elements":[]}"#
    try directory.write(theirs, to: "1.card")
    let error = #expect(throws: DocumentError.self) { try live.save() }
    #expect(error?.code == .conflict)
    #expect(live.conflict != nil)
    #expect(directory.text("1.card") == theirs)
  }

  @Test(
    "P3: keeps its value where the file is damaged, reports it, and saves beside what was there")
  func damaged() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "mine"))
    try directory.write("{ damaged", to: "1.card")
    await until { !directory.problems.all.isEmpty }
    #expect(directory.problems.all.map(\.code) == [.unreadable])
    #expect(live.value.title == "mine" && !live.isRemoved && live.conflict == nil)
    #expect(directory.text("1.card") == "{ damaged")

    live.edit { $0.title = "edited" }
    try live.save()
    #expect(live.conflict == nil && !live.isRemoved)
    #expect(directory.text("Quarantine/1.card-1") == "{ damaged")
    #expect(try saved() == "edited")
    for title in ["later", "last"] {
      live.edit { $0.title = title }
      await clock.advance(by: .seconds(1))
      await until { !live.hasUnsavedChanges }
      #expect(try saved() == title)
    }
  }

  @Test("P3: with unsaved changes is saved by itself where the file is damaged")
  func damagedWhileUnsaved() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "mine"))
    live.edit { $0.title = "edited" }
    try directory.write("{ damaged", to: "1.card")
    await clock.advance(by: .seconds(1))
    await until { !live.hasUnsavedChanges }
    #expect(live.conflict == nil)
    #expect(try saved() == "edited")
    #expect(directory.text("Quarantine/1.card-1") == "{ damaged")
  }

  @Test("P3: keeps its value where another version of the app writes what this one cannot read")
  func newer() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "mine"))
    let newer = #"{"id":"1","title":{"en":"theirs"}}"#
    try directory.write(newer, to: "1.card")
    await until { !directory.problems.all.isEmpty }
    #expect(directory.problems.all.map(\.keyPath) == ["title"])
    #expect(live.value.title == "mine")
    live.edit { $0.title = "edited" }
    let error = #expect(throws: DocumentError.self) { try live.save() }
    #expect(error?.code == .conflict)
    #expect(directory.text("1.card") == newer)
    #expect(directory.names == ["1.card"])
  }
}
