import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Changes of documents") struct ChangesTests {
  let directory = Directory()

  @Test("are reported from every source") func all() async throws {
    let store = try directory.open()
    try store.save(Card(id: "0"))
    var changes = store.changes.makeAsyncIterator()
    try store.save(Card(id: "1"))
    #expect(try await changes.next() == .created("1"))
    try store.save(Card(id: "1", title: "x"))
    #expect(try await changes.next() == .changed("1"))
    try store.remove("0")
    #expect(try await changes.next() == .removed("0"))

    let other = try directory.open()
    try other.save(Card(id: "2"))
    directory.disk.notifyWatchers()
    #expect(try await changes.next() == .created("2"))
    try directory.write("{", to: "1.card")
    #expect(try await changes.next() == .changed("1"))
    // Its own extension and names alone, and nothing twice.
    try directory.write("{", to: "1.other")
    try directory.write("{", to: ".3.card")
    try directory.disk.remove(Directory.path.appending("2.card"))
    directory.disk.notifyWatchers()
    #expect(try await changes.next() == .removed("2"))
  }

  @Test("by this store are received even if the directory cannot be watched") func unwatched()
    async throws
  {
    let store = try directory.open()
    try store.save(Card(id: "0"))
    directory.disk.failAlways(.watch)
    var changes = store.changes.makeAsyncIterator()
    #expect(directory.problems.all.map(\.code) == [.unavailable])
    try store.save(Card(id: "1"))
    #expect(try await changes.next() == .created("1"))
    try store.save(Card(id: "0", title: "x"))
    #expect(try await changes.next() == .changed("0"))
    try store.remove("1")
    #expect(try await changes.next() == .removed("1"))
  }

  @Test("that nobody took yet are one for each document") func coalesced() async throws {
    let store = try directory.open()
    var changes = store.changes.makeAsyncIterator()
    for title in ["a", "b", "c"] { try store.save(Card(id: "1", title: title)) }
    let live = try store.add(Card(id: "2"))
    for _ in 0..<10 { live.edit(saving: .now) { $0.title += "x" } }
    try store.save(Card(id: "3"))
    var told: [DocumentChange<String>] = []
    while told.last?.id != "3", let change = try await changes.next() { told.append(change) }
    #expect(told.count <= 15)
    #expect(Set(told.map(\.id)) == ["1", "2", "3"])
    #expect(told.first == .created("1"))
  }

  @Test("are reported from a real directory") func local() async throws {
    try await withTemporaryDirectory { path in
      let store = try DocumentStore<Card>(directory: path, pathExtension: "card")
      let live = try store.add(Card(id: "1", title: "one"))
      let other = try DocumentStore<Card>(directory: path, pathExtension: "card")
      var changes = store.changes.makeAsyncIterator()
      var card = try other.load("1")
      card.title = "two"
      try other.save(card)
      #expect(try await changes.next() == .changed("1"))
      #expect(live.value.title == "two")
      try other.remove("1")
      #expect(try await changes.next() == .removed("1"))
      #expect(live.isRemoved)
    }
  }

  @Test("are reported from a directory that replaces another") func replacedDirectory() async throws
  {
    try await withTemporaryDirectory { path in
      let directory = path.appending("Documents")
      let problems = Directory.Problems()
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card") {
        problems.add($0)
      }
      try store.save(Card(id: "1", title: "one"))
      var changes = store.changes.makeAsyncIterator()
      let local = LocalFileSystem()
      try local.rename(directory, to: path.appending("old"))
      // What cannot be reached is not removed.
      await until { !problems.all.isEmpty }
      #expect(problems.all.map(\.code) == [.unavailable])
      let error = #expect(throws: DocumentError.self) { try store.load("1") }
      #expect(error?.code == .unavailable)

      let other = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      try other.save(Card(id: "2", title: "two"))
      #expect(try await changes.next() == .removed("1"))
      #expect(try await changes.next() == .created("2"))
      try other.save(Card(id: "3"))
      #expect(try await changes.next() == .created("3"))
    }
  }
}
