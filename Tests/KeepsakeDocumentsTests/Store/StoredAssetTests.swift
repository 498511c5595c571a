import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Assets") struct StoredAssetTests {
  let directory = Directory()

  @Test("are collected where nothing at all names them, and no others") func orphans() throws {
    let store = try directory.open()
    let assets = try (1...8).map { try store.addAsset(image(UInt8($0))) }
    try store.save(Card(id: "1", elements: [Card.Element(id: 1, text: "", image: assets[0])]))
    // By a version.
    try store.save(Card(id: "1"))
    // By the trash.
    try store.save(Card(id: "2", elements: [Card.Element(id: 1, text: "", image: assets[1])]))
    try store.remove("2")
    // By what cannot be read.
    try directory.write("{ \(assets[2].name)", to: "3.card")
    #expect(throws: DocumentError.self) { try store.load("3") }
    // By another kind of document, in a place that no type knows, in a string with more in it.
    try directory.write(#"{"x":[{"y":"see \#(assets[3].name), please"}]}"#, to: "4.note")
    // By an edit that is not saved.
    let live = try store.add(Card(id: "5"))
    live.edit { $0.elements = [Card.Element(id: 1, text: "", image: assets[4])] }
    // With all escapes that there are.
    let escaped = assets[5].name.unicodeScalars.map { scalar in
      "\\u00" + String(scalar.value, radix: 16)
    }
    try directory.write("{\"x\":\"\(escaped.joined())\"}", to: "6.note")
    // Somebody else's files.
    try directory.write("mine", to: "photo.png")
    try directory.write("mine", to: "5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11.txt")

    // What the store added itself is young by its own clock, not the disk's.
    #expect(try store.collectOrphans().isEmpty)
    #expect(
      try store.collectOrphans(olderThan: .zero) == assets[6...7].sorted { $0.name < $1.name })
    #expect(directory.text("photo.png") == "mine")
    #expect(directory.text("5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11.txt") == "mine")
    #expect(try store.collectOrphans(olderThan: .zero).isEmpty)
    for asset in assets[2...5] { #expect(try store.asset(asset).count == 108) }
  }

  @Test("are not collected where a file cannot be read that may name them") func unread() throws {
    let store = try directory.open()
    let asset = try store.addAsset(image(1))
    try store.save(Card(id: "1"))
    directory.disk.failAlways(.read)
    #expect(throws: DocumentError.self) { try store.collectOrphans(olderThan: .zero) }
    #expect(directory.names.contains(asset.name))
  }

  @Test("are written once, however often their document is") func once() throws {
    let store = try directory.open()
    let asset = try store.addAsset(image(1, count: 5000))
    var card = Card(id: "1", elements: [Card.Element(id: 1, text: "", image: asset)])
    try store.save(card)
    let calls = directory.disk.calls.count
    card.title = "new"
    try store.save(card)
    #expect(!directory.disk.calls[calls...].contains { $0.path.extension == "png" })
    #expect(directory.disk.calls[calls...].count { $0.operation == .synchronize } == 2)
  }

  @Test("that are missing are reported, and keep no document from being saved") func missing()
    throws
  {
    let store = try directory.open()
    let asset = try #require(Asset(name: "5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11.png"))
    try store.save(Card(id: "1", elements: [Card.Element(id: 1, text: "", image: asset)]))
    #expect(directory.problems.all.map(\.code) == [.invalidAsset])
    #expect(try store.ids() == ["1"])
  }
}
