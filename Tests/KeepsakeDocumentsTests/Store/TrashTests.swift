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
    #expect(try store.collectOrphans() == [own])
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

@Suite("Assets") struct StoredAssetTests {
  let folder = Folder()

  @Test("are collected where nothing at all names them, and no others") func orphans() throws {
    let store = try folder.open()
    let assets = try (1...8).map { try store.addAsset(image(UInt8($0))) }
    try store.save(Card(id: "1", elements: [Card.Element(id: 1, text: "", image: assets[0])]))
    // By a version.
    try store.save(Card(id: "1"))
    // By the trash.
    try store.save(Card(id: "2", elements: [Card.Element(id: 1, text: "", image: assets[1])]))
    try store.remove("2")
    // By what cannot be read.
    try folder.write("{ \(assets[2].name)", to: "3.card")
    #expect(throws: DocumentError.self) { try store.load("3") }
    // By another kind of document, in a place that no type knows, in a string with more in it.
    try folder.write(#"{"x":[{"y":"see \#(assets[3].name), please"}]}"#, to: "4.note")
    // By an edit that is not saved.
    let live = try store.add(Card(id: "5"))
    live.edit { $0.elements = [Card.Element(id: 1, text: "", image: assets[4])] }
    // With all escapes that there are.
    let escaped = assets[5].name.unicodeScalars.map { scalar in
      "\\u00" + String(scalar.value, radix: 16)
    }
    try folder.write("{\"x\":\"\(escaped.joined())\"}", to: "6.note")
    // Somebody else's files.
    try folder.write("mine", to: "photo.png")
    try folder.write("mine", to: "5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11.txt")

    #expect(try store.collectOrphans() == assets[6...7].sorted { $0.name < $1.name })
    #expect(folder.text("photo.png") == "mine")
    #expect(folder.text("5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11.txt") == "mine")
    #expect(try store.collectOrphans().isEmpty)
    for asset in assets[2...5] { #expect(try store.asset(asset).count == 108) }
  }

  @Test("are not collected where a file cannot be read that may name them") func unread() throws {
    let store = try folder.open()
    let asset = try store.addAsset(image(1))
    try store.save(Card(id: "1"))
    folder.disk.failAlways(.read)
    #expect(throws: DocumentError.self) { try store.collectOrphans() }
    #expect(folder.names.contains(asset.name))
  }

  @Test("are written once, however often their document is") func once() throws {
    let store = try folder.open()
    let asset = try store.addAsset(image(1, count: 5000))
    var card = Card(id: "1", elements: [Card.Element(id: 1, text: "", image: asset)])
    try store.save(card)
    let calls = folder.disk.calls.count
    card.title = "new"
    try store.save(card)
    #expect(!folder.disk.calls[calls...].contains { $0.path.extension == "png" })
    #expect(folder.disk.calls[calls...].count { $0.operation == .synchronize } == 2)
  }

  @Test("that are missing are told of, and keep no document from being saved") func missing() throws
  {
    let store = try folder.open()
    let asset = try #require(Asset(name: "5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11.png"))
    try store.save(Card(id: "1", elements: [Card.Element(id: 1, text: "", image: asset)]))
    #expect(folder.problems.all.map(\.code) == [.invalidAsset])
    #expect(try store.ids() == ["1"])
  }
}
