import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Removing a document") struct TrashTests {
  let directory = Directory()

  private func card(_ id: String, _ images: [Asset]) -> Card {
    Card(
      id: id, title: id,
      elements: images.enumerated().map { Card.Element(id: $0, text: "", image: $1) })
  }

  @Test("Its file is moved to the trash, its assets stay, and it can be restored") func undo()
    throws
  {
    let store = try directory.open()
    let (own, shared) = (try store.addAsset(image(1)), try store.addAsset(image(2)))
    try store.save(card("1", [own, shared]))
    try store.save(card("2", [shared]))

    let removed = try store.remove("1")
    #expect(directory.names == ["2.card", "Trash/1/1.card", own.name, shared.name].sorted())
    #expect(try store.removed() == [removed])
    #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(throws: DocumentError.self) { try store.remove("1") }
    #expect(try store.collectOrphans(olderThan: .zero).isEmpty)

    try store.restore(removed)
    #expect(try store.load("1") == card("1", [own, shared]))
    #expect(try store.asset(own) == image(1))
    #expect(try store.removed().isEmpty)
    #expect(directory.names.allSatisfy { !$0.hasPrefix("Trash") })
  }

  @Test("No other document is read for that") func others() throws {
    let store = try directory.open()
    let asset = try store.addAsset(image(1))
    try store.save((1...20).map { card("\($0)", [asset]) })
    let files = InterruptedDisk(directory.disk)
    let other = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: files)
    let names = Mutex<[FilePath]>([])
    files.beforeNext(
      .open,
      of: { path in
        if path.extension == "card" { names.withLock { $0.append(path) } }
        return false
      }
    ) {}
    try other.remove("7")
    #expect(names.withLock { $0 } == [Directory.path.appending("7.card")])
  }

  @Test("may be done again and again, and undone in any order") func again() throws {
    let store = try directory.open()
    var all: [RemovedDocument<String>] = []
    for title in ["a", "b", "c"] {
      try store.save(Card(id: "1", title: title))
      all.append(try store.remove("1"))
    }
    try store.restore(all[1])
    #expect(try store.load("1").title == "b")
    let error = #expect(throws: DocumentError.self) { try store.restore(all[0]) }
    #expect(error?.code == .exists)
    #expect(try store.removed() == [all[0], all[2]])
  }

  @Test("ends, where it was long ago, when the trash is emptied") func emptied() throws {
    let store = try directory.open()
    let (own, shared) = (try store.addAsset(image(1)), try store.addAsset(image(2)))
    try store.save(card("1", [own, shared]))
    try store.save(card("1", [shared, own]))
    try store.save(card("2", []))
    try store.save(Card(id: "2", title: "new"))
    let removed = try store.remove("1")
    try store.remove("2")
    try store.create(Card(id: "2", title: "another"))
    try store.save(card("3", [shared]))
    try directory.write("mine", to: "Trash/4/notes.txt")

    #expect(try store.emptyTrash(olderThan: .seconds(1e15)).isEmpty)
    #expect(try store.emptyTrash().map(\.id) == ["1", "2"])
    #expect(throws: DocumentError.self) { try store.restore(removed) }
    #expect(try store.collectOrphans(olderThan: .zero) == [own])
    #expect(
      directory.names.filter { !$0.hasPrefix("Versions/2/") }
        == ["2.card", "3.card", "Trash/4/notes.txt", shared.name].sorted())
    // There is a document of that identity, whose past it is too.
    #expect(try store.versions(of: "2").count == 1)
  }

  @Test("and undoing it leaves what was loaded before as it was seen") func known() throws {
    let store = try directory.open()
    try directory.open().create(Card(id: "1", title: "one"))
    var card = try store.load("1")
    try store.restore(try store.remove("1"))
    card.title = "two"
    try store.save(card)
    #expect(try directory.open().load("1") == card)

    // What was changed meanwhile is a conflict still, with what it was changed from.
    let removed = try store.remove("1")
    try directory.write(#"{"id":"1","title":"x","elements":[]}"#, to: "Trash/1/1.card")
    try store.restore(removed)
    let error = #expect(throws: DocumentError.self) { try store.save(Card(id: "1")) }
    #expect(error?.conflict?.base != nil)
  }

  @Test("is not done while its unsaved changes cannot be saved") func unsaved() throws {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    let store = try directory.open(configuration)
    let live = try store.add(Card(id: "1"))
    live.edit { $0.title = "edited" }
    directory.disk.failAlways(.write, with: .noSpace)
    let error = #expect(throws: DocumentError.self) { try store.remove("1") }
    #expect(error?.code == .notWritten)
    #expect(try store.ids() == ["1"])
    #expect(live.hasUnsavedChanges)
    directory.disk.stopFailing()
    try store.restore(try store.remove("1"))
    #expect(try store.load("1").title == "edited")
  }

  @Test("shares no place in the trash with a document of another kind") func kinds() throws {
    let files = InterruptedDisk(directory.disk)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: files)
    let notes = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "note", fileSystem: directory.disk)
    let asset = try store.addAsset(image(1))
    try store.save(card("1", [asset]))
    try notes.save(Card(id: "1", title: "note"))
    files.beforeNext(.createDirectory, of: "Trash/1") {
      #expect(throws: Never.self) { _ = try notes.remove("1") }
    }
    let removed = try store.remove("1")
    try notes.save(Card(id: "1", title: "another"))
    #expect(removed.directory == Directory.path.appending("Trash/1-2"))
    // It does not become another kind, and replaces nothing.
    try directory.write("{}", to: "Trash/1-2/1.note")
    try directory.write("mine", to: "Trash/1-2/2.note")
    try store.restore(removed)
    #expect(try store.load("1") == card("1", [asset]))
    #expect(try notes.load("1").title == "another")
    #expect(directory.text("2.note") == nil)
  }

  @Test("permanently keeps the versions of a quarantined document")
  func quarantinedVersions() throws {
    let store = try directory.open()
    try store.save(Card(id: "1", title: "one"))
    try store.remove("1")
    for title in ["two", "three"] { try store.save(Card(id: "1", title: title)) }
    try directory.write("{", to: "1.card")
    #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(try store.emptyTrash().map(\.id) == ["1"])
    #expect(try store.recover(try #require(try store.quarantined().first)).title == "two")
  }
}
