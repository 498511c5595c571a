import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P3: a file that holds no document") struct QuarantineTests {
  let directory = Directory()

  private func load(_ text: String) throws -> DocumentError {
    try directory.write(text, to: "1.card")
    let store = try directory.open()
    return try #require(#expect(throws: DocumentError.self) { try store.load("1") })
  }

  @Test("is quarantined beside a line that says why, with line and column") func aside() throws {
    let text = "{\n  \"id\": \"1\",\n  \"title\": three,\n  \"elements\": []\n}"
    let error = try load(text)
    #expect(error.code == .unreadable)
    #expect(error.line == 3)
    #expect(error.column == 12)
    #expect(directory.names == ["Quarantine/1.card-1", "Quarantine/1.card-1.txt"])
    #expect(directory.text("Quarantine/1.card-1") == text)
    let why = try #require(directory.text("Quarantine/1.card-1.txt"))
    #expect(why.contains("line 3, column 12"))
    #expect(why.split(separator: "\n").count == 1)
  }

  @Test("but is JSON stays where it is, for another version of the app") func json() async throws {
    let text = "{\n  \"id\": \"1\",\n  \"title\": 3,\n  \"elements\": []\n}"
    let error = try load(text)
    #expect(error.code == .unreadable)
    #expect(error.line == 3)
    #expect(error.column == 12)
    #expect(error.keyPath == "title")
    #expect(error.kept?.contains("left unchanged") == true)
    let store = try directory.open()
    #expect(await store.everything().errors.map(\.code) == [.unreadable])
    let saving = #expect(throws: DocumentError.self) { try store.save(Card(id: "1")) }
    #expect(saving?.code == .conflict)
    #expect(throws: DocumentError.self) { try store.create(Card(id: "1")) }
    #expect(throws: DocumentError.self) { try store.recover("1") }
    #expect(directory.names == ["1.card"])
    #expect(directory.text("1.card") == text)
  }

  @Test("but is JSON is quarantined when a past version takes its place") func replaced() throws {
    let store = try directory.open()
    for title in ["one", "two"] { try store.save(Card(id: "1", title: title)) }
    let newer = #"{"id":"1","title":{"en":"three"}}"#
    try directory.write(newer, to: "1.card")
    #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(try store.recover("1").title == "one")
    #expect(directory.text("Quarantine/1.card-1") == newer)
    try directory.write(newer, to: "1.card")
    let version = try #require(try store.versions(of: "1").first)
    #expect(try store.restore(version, of: "1").title == "one")
    #expect(directory.text("Quarantine/1.card-2") == newer)
    #expect(try directory.open().load("1").title == "one")
  }

  @Test(
    "has a place in every error",
    arguments: [
      ("", 1, 1), ("{", 1, 2), ("{\n\"id\": \"1\",,", 2, 11), ("[1,2]", 1, 1),
      (
        "{\"id\":\"1\",\"title\":\"\",\n \"elements\":[{\"id\":1,\"text\":\"\"},{\"id\":2}]}", 2, 33
      ),
      (
        "{\"id\":\"1\",\"title\":\"\",\n \"elements\":[{\"id\":1,\"text\":\"\",\n \"image\":\"../x\"}]}",
        3, 10
      ),
    ])
  func place(_ text: String, line: Int, column: Int) throws {
    let error = try load(text)
    #expect(error.code == .unreadable)
    #expect(error.line == line && error.column == column, "\(error)")
  }

  @Test("never takes another's place there") func numbers() throws {
    for text in ["{1", "{2", "{2"] { _ = try load(text) }
    #expect(directory.text("Quarantine/1.card-1") == "{1")
    #expect(directory.text("Quarantine/1.card-2") == "{2")
    #expect(directory.text("Quarantine/1.card-3") == "{2")
    #expect(try directory.open().quarantined().map(\.name) == ["1.card", "1.card", "1.card"])
  }

  @Test("comes back as its newest past version") func recover() throws {
    let store = try directory.open()
    for title in ["one", "two", "three"] { try store.save(Card(id: "1", title: title)) }
    try directory.write("{", to: "1.card")
    #expect(throws: DocumentError.self) { try store.load("1") }
    let file = try #require(try store.quarantined().first)
    #expect(file.reason.contains("line 1, column 2"))
    #expect(try store.recover(file).title == "two")
    #expect(try directory.open().load("1").title == "two")
    #expect(directory.text("Quarantine/1.card-1") == "{")
    let error = #expect(throws: DocumentError.self) { try store.recover(file) }
    #expect(error?.code == .exists)
  }

  @Test("comes back itself once it can be read") func repaired() throws {
    _ = try load("{")
    let text = #"{"id":"1","title":"mended","elements":[],"more":1}"#
    try directory.write(text, to: "Quarantine/1.card-1")
    let store = try directory.open()
    #expect(try store.recover(try #require(try store.quarantined().first)).title == "mended")
    #expect(directory.names == ["1.card"])
    #expect(directory.text("1.card") == text)
  }

  @Test("stops nothing when all are loaded") func all() async throws {
    let store = try directory.open()
    try store.save((1...100).map { Card(id: "\($0)", title: "good") })
    try directory.write("{", to: "13.card")
    try directory.write(#"{"id":"1","title":"","elements":[]}"#, to: "14.card")
    let found = await store.everything()
    #expect(found.cards.count == 98)
    #expect(found.cards.map(\.id) == found.cards.map(\.id).sorted())
    #expect(found.errors.map(\.code) == [.unreadable, .wrongIdentity])
    // A copy that somebody made is left where it is.
    #expect(directory.text("14.card") != nil)
    #expect(directory.text("13.card") == nil)
  }

  @Test("is not found afterwards, with an error that says where it is") func notFound() throws {
    let store = try directory.open()
    try directory.write("{", to: "1.card")
    let first = #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(first?.code == .unreadable)
    let second = #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(second?.code == .notFound)
    #expect(second?.description.contains("in the quarantine") == true)
    let other = #expect(throws: DocumentError.self) { try store.load("2") }
    #expect(other?.description.contains("quarantine") == false)
  }

  @Test("is reported unchanged where it cannot be reached: P4") func unavailable() async throws {
    let store = try directory.open()
    try store.save(Card(id: "1"))
    directory.disk.failAlways(.read)
    let error = #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(error?.code == .unavailable)
    #expect(throws: DocumentError.self) { try store.save(Card(id: "1", title: "x")) }
    directory.disk.stopFailing()
    directory.disk.failAlways(.list)
    #expect(await store.everything().errors.map(\.code) == [.unavailable])
    directory.disk.stopFailing()
    #expect(try store.load("1").title == "")
  }

  @Test(
    "stays where somebody makes a document of the name at that moment", arguments: [true, false])
  func race(isReadable: Bool) throws {
    let store = try directory.open()
    for title in ["one", "two"] { try store.save(Card(id: "1", title: title)) }
    try directory.write("{", to: "1.card")
    #expect(throws: DocumentError.self) { try store.load("1") }
    let mended = #"{"id":"1","title":"mended","elements":[]}"#
    if isReadable { try directory.write(mended, to: "Quarantine/1.card-1") }

    let files = InterruptedDisk(directory.disk)
    let other = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: files)
    let file = try #require(try other.quarantined().first)
    let theirs = #"{"id":"1","title":"theirs","elements":[]}"#
    files.beforeNext(.open, of: { $0.extension == "new" }) { [directory] in
      #expect(throws: Never.self) { try directory.write(theirs, to: "1.card") }
    }
    let error = #expect(throws: DocumentError.self) { try other.recover(file) }
    #expect(error?.code == .exists)
    #expect(directory.text("1.card") == theirs)
    #expect(directory.text("Quarantine/1.card-1") == (isReadable ? mended : "{"))
    #expect(directory.text("Quarantine/1.card-1.txt") != nil)
  }
}
