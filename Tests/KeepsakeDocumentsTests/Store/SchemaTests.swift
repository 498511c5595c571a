import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P8: documents of older and newer versions") struct SchemaTests {
  let directory = Directory()

  /// Version 1 had a name, version 2 a title, version 3 elements.
  static let schema = DocumentSchema(
    version: 3,
    migrations: [
      1: { card in
        card["title"] = card["name"]
        card["name"] = nil
      },
      2: { card in card["elements"] = card["elements"] ?? [] },
    ])

  private func open(_ schema: DocumentSchema = SchemaTests.schema) throws -> DocumentStore<Card> {
    try directory.open(DocumentConfiguration(schema: schema))
  }

  @Test("are migrated step by step as they are loaded, and written when they are saved")
  func older() throws {
    let old = #"{ "id": "1", "name": "old", "more": { "x": 1.50 } }"#
    try directory.write(old, to: "1.card")
    let store = try open()
    var card = try store.load("1")
    #expect(card == Card(id: "1", title: "old"))
    #expect(directory.text("1.card") == old)
    card.title = "new"
    try store.save(card)
    #expect(
      directory.text("1.card") == """
        {
          "elements" : [

          ],
          "id" : "1",
          "more" : {
            "x" : 1.50
          },
          "schemaVersion" : 3,
          "title" : "new"
        }

        """)
    #expect(try store.load("1") == card)
    // What it was is a past version, and can come back.
    let version = try #require(try store.versions(of: "1").first)
    #expect(try store.restore(version, of: "1").title == "old")
    #expect(directory.text("1.card") == old)
  }

  /// A document that knows its earlier version itself: version 1 had dollars, version 2 has cents.
  struct Price: Codable, Equatable, Identifiable {
    var id: String
    var cents: Int
    var note = ""

    enum CodingKeys: String, CodingKey { case id, cents = "amount", note, schemaVersion }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try values.decode(String.self, forKey: .id)
      note = try values.decode(String.self, forKey: .note)
      let version = try values.decodeIfPresent(Int.self, forKey: .schemaVersion) ?? 1
      cents =
        version < 2
        ? Int(try values.decode(Double.self, forKey: .cents) * 100)
        : try values.decode(Int.self, forKey: .cents)
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(2, forKey: .schemaVersion)
      try values.encode(id, forKey: .id)
      try values.encode(cents, forKey: .cents)
      try values.encode(note, forKey: .note)
    }
  }

  @Test("are written whole in the new form if their type migrates them, and keep unknown keys")
  func ownVersion() throws {
    let old = #"{ "id": "1", "amount": 2.5, "note": "a", "more": { "x": 1.50 } }"#
    try directory.write(old, to: "1.card")
    let store = try DocumentStore<Price>(
      directory: Directory.path, pathExtension: "card", fileSystem: directory.disk)
    var price = try store.load("1")
    #expect(price.cents == 250)
    price.note = "b"
    try store.save(price)
    #expect(
      directory.text("1.card") == """
        {
          "amount" : 250,
          "id" : "1",
          "more" : {
            "x" : 1.50
          },
          "note" : "b",
          "schemaVersion" : 2
        }

        """)
    #expect(try store.load("1") == price)
  }

  @Test("begin in the middle where they are so old") func middle() throws {
    try directory.write(#"{"id":"1","title":"two","schemaVersion":2}"#, to: "1.card")
    #expect(try open().load("1") == Card(id: "1", title: "two"))
  }

  @Test("of a newer version are read, and keep their number and all that is new") func newer()
    throws
  {
    let text = """
      {
        "elements" : [
          {
            "frame" : "star",
            "id" : 1,
            "text" : "a"
          }
        ],
        "id" : "1",
        "layers" : [
          {
            "opacity" : 0.5
          }
        ],
        "schemaVersion" : 7,
        "title" : "%"
      }

      """
    try directory.write(text, to: "1.card")
    let store = try open()
    var card = try store.load("1")
    card.title = "$"
    try store.save(card)
    #expect(directory.text("1.card") == String(text.map { $0 == "%" ? "$" : $0 }))
  }

  @Test("of a newer version that cannot be read stay where they are") func unreadable() throws {
    let text = #"{"id":"1","title":{"en":"x"},"elements":[],"schemaVersion":4}"#
    try directory.write(text, to: "1.card")
    let store = try open()
    let error = #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(error?.code == .newerVersion)
    #expect(error?.keyPath == "title")
    #expect(directory.text("1.card") == text)
    #expect(throws: DocumentError.self) { try store.save(Card(id: "1", title: "mine")) }
    #expect(directory.text("1.card") == text)
  }

  @Test(
    "that say no version are damaged", arguments: ["0", "-9000000000000000000", "1.5", "\"2\""])
  func damaged(_ version: String) throws {
    try directory.write(
      #"{"id":"1","title":"","elements":[],"schemaVersion":\#(version)}"#, to: "1.card")
    let error = #expect(throws: DocumentError.self) { try open().load("1") }
    #expect(error?.code == .unreadable)
    #expect(error?.keyPath == "schemaVersion")
    #expect(error?.line == 1)
  }

  @Test("of a newer version is an error that says so, also in an app that declares no schema")
  func undeclared() throws {
    try directory.write(#"{"id":"1","name":"x","schemaVersion":2}"#, to: "1.card")
    let store = try directory.open()
    let error = #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(error?.code == .newerVersion)
    #expect(error?.description.contains("newer version 2") == true)
  }

  @Test("whose migration fails are reported with their location in the file") func failing() throws
  {
    try directory.write("{\n\"id\":\"1\",\n\"name\":3}", to: "1.card")
    let error = #expect(throws: DocumentError.self) { try open().load("1") }
    #expect(error?.code == .unreadable)
    #expect(error?.keyPath == "title")
  }

  @Test("may meet a live document, whose edit is made in the new version") func live() throws {
    try directory.write(#"{"id":"1","name":"old","more":1}"#, to: "1.card")
    let store = try open()
    let live = try store.open("1")
    live.edit(saving: .now) { $0.title += "!" }
    #expect(try open().load("1").title == "old!")
    #expect(directory.text("1.card")?.contains("\"more\"") == true)
    #expect(directory.problems.all.isEmpty)
  }

  @Test("are first the ones without a number") func first() throws {
    let store = try open(DocumentSchema(version: 1))
    try store.save(Card(id: "1"))
    #expect(directory.text("1.card")?.contains("\"schemaVersion\" : 1") == true)
    try directory.write(#"{"id":"2","title":"","elements":[]}"#, to: "2.card")
    #expect(try store.load("2") == Card(id: "2"))
  }

  @Test("of a newer version that cannot be read are replaced whole where ours is taken")
  func takeMine() throws {
    try directory.write(#"{"id":"1","title":"old","elements":[],"schemaVersion":3}"#, to: "1.card")
    let store = try open()
    var card = try store.load("1")
    card.title = "mine"
    let text = #"{"id":"1","titles":["x"],"elements":[],"schemaVersion":4}"#
    try directory.write(text, to: "1.card")
    let error = #expect(throws: DocumentError.self) { try store.save(card) }
    try store.resolve(try #require(error?.conflict), by: .takeMine)
    #expect(try open().load("1") == card)
    #expect(directory.text("1.card")?.contains("\"schemaVersion\" : 3") == true)
    #expect(directory.text("1.card")?.contains("titles") == false)
    let versions = directory.names.filter { $0.hasPrefix("Versions/1/") }
    #expect(versions.contains { directory.text($0) == text })
  }
}
