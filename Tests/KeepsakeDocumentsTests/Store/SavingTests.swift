import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Saving a document") struct SavingTests {
  let directory = Directory()

  @Test("writes a file to be read, the same for the same document") func text() throws {
    let store = try directory.open()
    try store.save(
      Card(id: "a/b", title: "One/two", elements: [Card.Element(id: 1, text: "é\n")]))
    #expect(
      directory.text("a%2Fb.card") == """
        {
          "elements" : [
            {
              "id" : 1,
              "text" : "é\\n"
            }
          ],
          "id" : "a/b",
          "title" : "One/two"
        }

        """)
    #expect(try store.ids() == ["a/b"])
    #expect(try directory.open().load("a/b").title == "One/two")
  }

  @Test("creates none where there is one") func create() throws {
    let store = try directory.open()
    try store.create(Card(id: "1", title: "first"))
    let error = #expect(throws: DocumentError.self) { try store.create(Card(id: "1")) }
    #expect(error?.code == .exists)
    #expect(try store.load("1").title == "first")
  }

  @Test("costs no write where nothing changed") func unchanged() throws {
    let store = try directory.open()
    try store.save(Card(id: "1", title: "one"))
    let again = try directory.open()
    let card = try again.load("1")
    let calls = directory.disk.calls.count
    try again.save(card)
    try again.save([card])
    try store.save(card)
    #expect(
      !directory.disk.calls[calls...].contains {
        $0.operation == .write || $0.operation == .rename
      })
  }

  @Test("flushes the file and the directory, and nothing else") func flushes() throws {
    let store = try directory.open()
    try store.save(Card(id: "1", title: "one"))
    let calls = directory.disk.calls.count
    try store.save(Card(id: "1", title: "two"))
    let flushes = directory.disk.calls[calls...].filter { $0.operation == .synchronize }
    #expect(flushes.count == 2)
    #expect(flushes.last?.path == Directory.path)
  }

  @Test("of many documents flushes twice") func batch() throws {
    let store = try directory.open()
    let calls = directory.disk.calls.count
    try store.save((0..<50).map { Card(id: "\($0)", title: "card") })
    #expect(directory.disk.calls[calls...].count { $0.operation == .synchronize } == 2)
    #expect(try store.ids().count == 50)
  }

  @Test("of many documents saves each with its own text, or leaves all as they were") func many()
    throws
  {
    let store = try directory.open()
    func cards(_ title: String) -> [Card] {
      (0..<200).map { Card(id: "\($0)", title: "\(title) \($0)") }
    }
    try store.save(cards("old"))
    let before = directory.disk.files
    for number in [1, 300, 599] {
      directory.disk.fail(call: directory.disk.calls.count + number, with: .noSpace)
      #expect(throws: DocumentError.self) { try store.save(cards("new")) }
      #expect(directory.disk.files == before)
    }
    try store.save(cards("new"))
    let again = try directory.open()
    for card in cards("new") { #expect(try again.load(card.id).title == card.title) }
  }

  private func pastTitles(of id: String, in store: DocumentStore<Card>) throws -> [String] {
    try store.versions(of: id).map { version in
      let bytes = try #require(directory.disk.bytes(at: version.file))
      return try JSON.Decoder().decode(Card.self, from: bytes).title
    }
  }

  @Test("of hundreds of documents keeps a past version of each") func manyVersions() throws {
    let store = try directory.open()
    for title in ["a", "b", "c"] {
      try store.save((0..<300).map { Card(id: "\($0)", title: title) })
    }
    for number in 0..<300 {
      #expect(try store.load("\(number)").title == "c")
      #expect(try pastTitles(of: "\(number)", in: store) == ["b", "a"])
    }
    #expect(directory.problems.all.isEmpty)
  }

  @Test("of hundreds of documents writes none if one was changed by somebody else")
  func manyAndAConflict() throws {
    let store = try directory.open()
    try store.save((0..<300).map { Card(id: "\($0)", title: "old") })
    try directory.write(#"{ "elements" : [], "id" : "222", "title" : "theirs" }"#, to: "222.card")
    let error = #expect(throws: DocumentError.self) {
      try store.save((0..<300).map { Card(id: "\($0)", title: "new") })
    }
    #expect(error?.code == .conflict)
    let titles = try (0..<300).map { try store.load("\($0)").title }
    #expect(titles.count { $0 == "old" } == 299)
    #expect(titles[222] == "theirs")
  }

  @Test("of several values of one document writes the last, and keeps what was there")
  func repeated() throws {
    let store = try directory.open()
    try store.save(Card(id: "1", title: "old"))
    try store.save((0..<300).map { Card(id: "1", title: "\($0)") } + [Card(id: "2", title: "d")])
    #expect(try store.load("1").title == "299")
    #expect(try store.load("2").title == "d")
    #expect(try pastTitles(of: "1", in: store) == ["old"])
    #expect(directory.problems.all.isEmpty)
  }

  @Test("keeps what the type does not know, at any depth and in its place") func unknown() throws {
    let text = """
      {
        "elements" : [
          { "kind" : "video", "id" : 7 },
          { "id" : 1, "text" : "one", "frame" : 99 },
          { "id" : 2, "text" : "two" }
        ],
        "future" : { "b" : [1.50, 1e400], "a" : null },
        "id" : "1",
        "title" : "old"
      }
      """
    struct Known: Codable, Identifiable {
      struct Element: Codable {
        var id: Int
        var text: String
      }
      struct Lenient: Codable {
        var elements: [Element]
        init(from decoder: any Decoder) throws {
          var container = try decoder.unkeyedContainer()
          elements = []
          while !container.isAtEnd {
            let element = try? container.decode(Element.self)
            if let element {
              elements.append(element)
            } else {
              _ = try container.decode(Nothing.self)
            }
          }
        }
        func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
        struct Nothing: Codable {}
      }
      var id: String
      var title: String
      var elements: Lenient
    }
    try directory.write(text, to: "1.card")
    let store = try DocumentStore<Known>(
      directory: Directory.path, pathExtension: "card", fileSystem: directory.disk)
    var card = try store.load("1")
    try store.save(card)
    #expect(directory.text("1.card") == text)
    card.title = "new"
    card.elements.elements[1].text = "zwei"
    try store.save(card)
    #expect(
      directory.text("1.card") == """
        {
          "elements" : [
            {
              "id" : 7,
              "kind" : "video"
            },
            {
              "frame" : 99,
              "id" : 1,
              "text" : "one"
            },
            {
              "id" : 2,
              "text" : "zwei"
            }
          ],
          "future" : {
            "a" : null,
            "b" : [
              1.50,
              1e400
            ]
          },
          "id" : "1",
          "title" : "new"
        }

        """)
  }

  @Test("keeps the permissions of a file") func permissions() throws {
    try directory.disk.write(
      Array(#"{"id":"1","title":"","elements":[]}"#.utf8), to: Directory.path.appending("1.card"),
      permissions: [.ownerReadWrite, .groupRead])
    let store = try directory.open()
    var card = try store.load("1")
    card.title = "new"
    try store.save(card)
    let found = try directory.disk.information(at: Directory.path.appending("1.card"))
    #expect(found?.permissions == [.ownerReadWrite, .groupRead])
  }
}
