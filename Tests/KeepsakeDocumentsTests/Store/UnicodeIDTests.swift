import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeDocuments

/// The simulated disk normalizes names, as some file systems do.
@Suite("Ids that differ only in Unicode form") struct UnicodeIDTests {
  let directory = Directory()
  // Equal to Swift.
  let ids = ["\u{E9}", "e\u{301}"]

  @Test("They are two documents") func twoDocuments() async throws {
    let store = try directory.open()
    for (index, id) in ids.enumerated() { try store.create(Card(id: id, title: "\(index)")) }
    #expect(directory.names == ["e%CC%81.card", "\u{E9}.card"])
    for (index, id) in ids.enumerated() { #expect(try store.load(id).title == "\(index)") }
    let found = await store.everything()
    #expect(found.cards.map(\.title).sorted() == ["0", "1"] && found.errors.isEmpty)
    #expect(try store.ids().map { Array($0.utf8) } == [ids[1], ids[0]].map { Array($0.utf8) })
    try store.remove(ids[0])
    #expect(try store.load(ids[1]).title == "1")
    #expect(try store.versions(of: ids[0]).isEmpty)
  }

  @Test("They are two live documents") func twoLiveDocuments() throws {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    let store = try directory.open(configuration)
    let lives = try ids.map { try store.add(Card(id: $0)) }
    #expect(lives[0] !== lives[1])
    for (index, live) in lives.enumerated() { live.edit { $0.title = "title \(index)" } }
    try store.saveAll()
    for (index, id) in ids.enumerated() {
      #expect(try directory.open().load(id).title == "title \(index)")
    }
    #expect(directory.problems.all.isEmpty)
  }

  @Test("Their changes are two") func twoChanges() async throws {
    let store = try directory.open()
    var changes = store.changes.makeAsyncIterator()
    for id in ids { try store.create(Card(id: id)) }
    var created: Set<[UInt8]> = []
    for _ in ids {
      guard case .created(let id)? = try await changes.next() else { continue }
      created.insert(Array(id.utf8))
    }
    #expect(created == Set(ids.map { Array($0.utf8) }))
  }

  @Test("No edit makes one of the other") func edit() throws {
    let store = try directory.open()
    let live = try store.add(Card(id: ids[0], title: "mine"))
    live.edit(saving: .now) { $0.id = ids[1] }
    #expect(directory.problems.all.map(\.code) == [.wrongIdentity])
    #expect(directory.names == ["\u{E9}.card"])
  }

  @Test("A file that has the other's name is not the document") func wrongName() throws {
    try withTemporaryDirectory { root in
      let file = root.appending("e\u{301}.card")
      let text = #"{"id":"\#(ids[0])","title":"","elements":[]}"#
      try LocalFileSystem().replaceFile(at: file, with: Array(text.utf8))
      let store = try DocumentStore<Card>(directory: root, pathExtension: "card")
      #expect(throws: DocumentError.self) { try store.load(ids[0]) }
      try store.create(Card(id: ids[0], title: "new"))
      #expect(try store.load(ids[0]).title == "new")
      #expect(try LocalFileSystem().readFile(at: file) == Array(text.utf8))
    }
  }

  @Test("A file that has the other's name hides neither the document nor its changes")
  func wrongNameBesideDocument() async throws {
    try await withTemporaryDirectory { root in
      let files = LocalFileSystem()
      let store = try DocumentStore<Card>(directory: root, pathExtension: "card")
      try store.create(Card(id: ids[0], title: "document"))
      try files.replaceFile(at: root.appending("e\u{301}.card"), with: Array("{}".utf8))
      let other = try DocumentStore<Card>(directory: root, pathExtension: "card")
      let names = try other.stamps(of: other.directory.names()).keys.map { Array($0.utf8) }
      #expect(names == [Array("\u{E9}.card".utf8)])
      var changes = other.changes.makeAsyncIterator()
      try store.save(Card(id: ids[0], title: "changed"))
      guard case .changed(let id)? = try await changes.next() else {
        Issue.record("no change")
        return
      }
      #expect(Array(id.utf8) == Array(ids[0].utf8))
    }
  }
}
