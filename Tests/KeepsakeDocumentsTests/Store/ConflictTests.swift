import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("A document that somebody else changed") struct ConflictTests {
  let directory = Directory()
  let base = """
    {
      "elements" : [

      ],
      "id" : "1",
      "more" : true,
      "title" : "base"
    }
    """

  /// A document that is loaded, and then changed here and on disk.
  private func meet(
    theirs: String?
  ) throws -> (store: DocumentStore<Card>, conflict: DocumentConflict) {
    try directory.write(base, to: "1.card")
    let store = try directory.open()
    var card = try store.load("1")
    card.title = "ours"
    if let theirs {
      try directory.write(theirs, to: "1.card")
    } else {
      try directory.disk.remove(Directory.path.appending("1.card"))
    }
    let error = #expect(throws: DocumentError.self) { try store.save(card) }
    #expect(error?.code == .conflict)
    return (store, try #require(error?.conflict))
  }

  let changed = #"{"id":"1","title":"theirs","elements":[{"id":5,"text":"new"}],"more":true}"#

  @Test("is not overwritten, and both are reported with their base") func found() throws {
    let (store, conflict) = try meet(theirs: changed)
    #expect(directory.text("1.card") == changed)
    #expect(conflict.base?["title"] == "base")
    #expect(conflict.ours["title"] == "ours")
    #expect(conflict.theirs?["title"] == "theirs")
    #expect(conflict.merged["elements"]?[0]?["text"] == "new")
    #expect(conflict.overlaps.map(\.path) == [[.key("title")]])
    // Asked again, the answer is the same.
    #expect(throws: DocumentError.self) { try store.save(Card(id: "1", title: "ours")) }
  }

  @Test(
    "has its base among the past versions where the store did not keep the text",
    arguments: [true, false])
  func baseOfMany(isKept: Bool) async throws {
    let store = try directory.open()
    try store.create(Card(id: "long", title: String(repeating: "a", count: 2 << 20)))
    try directory.write(base, to: "1.card")
    for await element in store.loadAll() { _ = try element.result.get() }
    if isKept {
      let other = try directory.open()
      var card = try other.load("1")
      card.title = "theirs"
      try other.save(card)
    } else {
      try directory.write(changed, to: "1.card")
    }
    let error = #expect(throws: DocumentError.self) {
      try store.save(Card(id: "1", title: "ours"))
    }
    #expect(error?.conflict?.theirs?["title"] == "theirs")
    #expect(error?.conflict?.base?["title"] == (isKept ? "base" : nil))
  }

  @Test("is no conflict where only the layout changed") func layout() throws {
    try directory.write(base, to: "1.card")
    let store = try directory.open()
    var card = try store.load("1")
    try directory.write(#"{"more":true,"title":"base","id":"1","elements":[]}"#, to: "1.card")
    card.title = "ours"
    try store.save(card)
    #expect(try directory.open().load("1").title == "ours")
    #expect(directory.text("1.card")?.contains("more") == true)
  }

  @Test("is merged with one call") func merge() throws {
    let (store, conflict) = try meet(theirs: changed)
    let merged = try store.resolve(conflict, by: .merge)
    #expect(merged.title == "ours")
    #expect(merged.elements.map(\.text) == ["new"])
    #expect(try directory.open().load("1") == merged)
    #expect(directory.text("1.card")?.contains("more") == true)
    #expect(try store.versions(of: "1").count == 1)
    try store.save(merged)
  }

  @Test("is kept beside ours with one call") func both() throws {
    let (store, conflict) = try meet(theirs: changed)
    let copy = try store.resolve(conflict, by: .keepBoth)
    #expect(copy.id == "1 2")
    #expect(copy.title == "ours")
    #expect(directory.text("1.card") == changed)
    #expect(directory.text("1 2.card")?.contains("more") == true)
    #expect(try store.load("1 2") == copy)
  }

  @Test("is taken, or replaced, with one call") func one() throws {
    var (store, conflict) = try meet(theirs: changed)
    #expect(try store.resolve(conflict, by: .takeTheirs).title == "theirs")
    (store, conflict) = try meet(theirs: changed)
    #expect(try store.resolve(conflict, by: .takeMine).title == "ours")
    #expect(try directory.open().load("1").title == "ours")
    let version = try #require(try store.versions(of: "1").first)
    #expect(try store.restore(version, of: "1").title == "theirs")
  }

  @Test("is not replaced where it changed once more") func again() throws {
    let (store, conflict) = try meet(theirs: changed)
    let third = #"{"id":"1","title":"third","elements":[]}"#
    for (resolution, base) in [(DocumentConflict.Resolution.takeMine, "base"), (.merge, "theirs")] {
      try directory.write(third, to: "1.card")
      let error = #expect(throws: DocumentError.self) {
        try store.resolve(conflict, by: resolution)
      }
      #expect(error?.conflict?.theirs?["title"] == "third")
      // What was merged was made of theirs.
      #expect(error?.conflict?.base?["title"] == .string(base))
      #expect(directory.text("1.card") == third)
    }
  }

  @Test("may have been removed, and comes back if that is wanted") func removed() throws {
    let (store, conflict) = try meet(theirs: nil)
    #expect(conflict.theirs == nil)
    #expect(directory.text("1.card") == nil)
    try store.resolve(conflict, by: .takeMine)
    #expect(try directory.open().load("1").title == "ours")
  }

  @Test("was never loaded, and is not written over either") func stranger() throws {
    try directory.write(base, to: "1.card")
    let store = try directory.open()
    let error = #expect(throws: DocumentError.self) { try store.save(Card(id: "1", title: "x")) }
    #expect(error?.code == .conflict)
    #expect(directory.text("1.card") == base)
  }

  @Test("is quarantined where it cannot be read, and ours is saved") func damaged() throws {
    try directory.write(base, to: "1.card")
    let store = try directory.open()
    var card = try store.load("1")
    try directory.write("{ damaged", to: "1.card")
    card.title = "ours"
    let error = #expect(throws: DocumentError.self) { try store.save(card) }
    #expect(error?.code == .unreadable)
    try store.save(card)
    #expect(try directory.open().load("1") == card)
    #expect(directory.text("Quarantine/1.card-1") == "{ damaged")
  }
}
