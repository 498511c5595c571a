import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Removing a document") struct TrashTests {
  let folder = Folder()

  private func card(_ id: String, _ images: [Asset]) -> Card {
    Card(
      id: id, title: id,
      elements: images.enumerated().map { Card.Element(id: $0, text: "", image: $1) })
  }

  @Test("takes the assets along that nobody else names, and brings them back") func undo() throws {
    let store = try folder.open()
    let own = try store.addAsset(image(1))
    let shared = try store.addAsset(image(2))
    let foreign = try store.addAsset(image(3))
    try store.save(card("1", [own, shared, foreign]))
    try store.save(card("2", [shared]))
    try folder.write("the picture is \(foreign.name)", to: "notes.txt")

    let removed = try store.remove("1")
    #expect(
      folder.names
        == [
          "2.card", "Trash/1/1.card", "Trash/1/\(own.name)", foreign.name, "notes.txt", shared.name,
        ].sorted())
    #expect(try store.removed() == [removed])
    #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(throws: DocumentError.self) { try store.remove("1") }

    try store.restore(removed)
    #expect(try store.load("1") == card("1", [own, shared, foreign]))
    #expect(try store.asset(own) == image(1))
    #expect(try store.removed().isEmpty)
    #expect(folder.names.allSatisfy { !$0.hasPrefix("Trash") })
  }

  @Test("may be done again and again, and undone in any order") func again() throws {
    let store = try folder.open()
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
    let store = try folder.open()
    let (own, shared) = (try store.addAsset(image(1)), try store.addAsset(image(2)))
    try store.save(card("1", [own, shared]))
    try store.save(card("1", [shared, own]))
    try store.save(card("2", []))
    try store.save(Card(id: "2", title: "new"))
    let removed = try store.remove("1")
    try store.remove("2")
    try store.create(Card(id: "2", title: "another"))
    try store.save(card("3", [shared]))
    try folder.write("mine", to: "Trash/4/notes.txt")

    #expect(try store.emptyTrash(olderThan: .seconds(1e15)).isEmpty)
    #expect(try store.emptyTrash().map(\.id) == ["1", "2"])
    #expect(throws: DocumentError.self) { try store.restore(removed) }
    #expect(try store.collectOrphans(olderThan: .zero) == [own])
    #expect(
      folder.names.filter { !$0.hasPrefix("Versions/2/") }
        == ["2.card", "3.card", "Trash/4/notes.txt", shared.name].sorted())
    // There is a document of that identity, whose past it is too.
    #expect(try store.versions(of: "2").count == 1)
  }

  @Test("gives an asset back to a document that names it by then") func named() throws {
    let store = try folder.open()
    let asset = try store.addAsset(image(1))
    try store.save(card("1", [asset]))
    let removed = try store.remove("1")
    try store.save(card("2", [asset]))
    #expect(try store.asset(asset) == image(1))
    try store.restore(removed)
    #expect(folder.problems.all.isEmpty)
  }
}
