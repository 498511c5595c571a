import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Past versions") struct VersionTests {
  let directory = Directory()

  private func titles(_ store: DocumentStore<Card>) throws -> [String] {
    try store.versions(of: "1").map { version in
      let text = String(decoding: directory.disk.bytes(at: version.file) ?? [], as: UTF8.self)
      return text.split(separator: "\"title\" : \"")[1].split(separator: "\"")[0].description
    }
  }

  @Test("are the last ten, newest first") func ten() throws {
    let store = try directory.open()
    for number in 1...14 { try store.save(Card(id: "1", title: "\(number)")) }
    #expect(try titles(store) == (4...13).reversed().map(String.init))
  }

  @Test("keep each content once") func once() throws {
    let store = try directory.open()
    for title in ["a", "b", "a", "b", "a", "c"] { try store.save(Card(id: "1", title: title)) }
    #expect(try titles(store) == ["a", "b"])
  }

  @Test("are kept after somebody has removed those that were there") func removed() throws {
    let store = try directory.open()
    for title in ["a", "b", "c"] { try store.save(Card(id: "1", title: title)) }
    for version in try store.versions(of: "1") { try directory.disk.remove(version.file) }
    for title in ["d", "b", "e"] { try store.save(Card(id: "1", title: title)) }
    #expect(try titles(store) == ["b", "d", "c"])
    for version in try store.versions(of: "1") { try directory.disk.remove(version.file) }
    try directory.disk.remove(Directory.path.appending("Versions").appending("1"))
    for number in 1...14 { try store.save(Card(id: "1", title: "\(number)")) }
    #expect(try titles(store) == (4...13).reversed().map(String.init))
    #expect(directory.problems.all.isEmpty)
  }

  @Test("are those of a document that went to the trash and back") func trash() throws {
    let store = try directory.open()
    for title in ["a", "b"] { try store.save(Card(id: "1", title: title)) }
    try store.restore(try store.remove("1"))
    try store.save(Card(id: "1", title: "c"))
    #expect(try titles(store) == ["b", "a"])
  }

  @Test("come back, and what they replace stays") func restore() throws {
    let store = try directory.open()
    for title in ["a", "b", "c"] { try store.save(Card(id: "1", title: title)) }
    let oldest = try #require(try store.versions(of: "1").last)
    #expect(try store.restore(oldest, of: "1").title == "a")
    #expect(try titles(store) == ["c", "b", "a"])
    #expect(try directory.open().load("1").title == "a")
  }

  @Test("that a power cut tore are not offered") func torn() throws {
    let store = try directory.open()
    for title in ["a", "b", "c"] { try store.save(Card(id: "1", title: title)) }
    let newest = try #require(try store.versions(of: "1").first)
    try directory.disk.write([0, 0], to: newest.file)
    #expect(try titles(store) == ["a"])
    // The content takes its place again when it is next replaced.
    try store.save(Card(id: "1", title: "b"))
    try store.save(Card(id: "1", title: "d"))
    #expect(try titles(store) == ["b", "c", "a"])
  }

  @Test("are none where none are wanted") func none() throws {
    var configuration = DocumentConfiguration()
    configuration.versionsKept = 0
    let store = try directory.open(configuration)
    for title in ["a", "b"] { try store.save(Card(id: "1", title: title)) }
    #expect(directory.names == ["1.card"])
  }

  @Test("are the replaced files themselves, or copies where a file has one name")
  func links() throws {
    let store = try directory.open()
    try store.save(Card(id: "1", title: "a"))
    let file = Directory.path.appending("1.card")
    let first = try directory.disk.information(at: file)
    try store.save(Card(id: "1", title: "b"))
    let version = try #require(try store.versions(of: "1").first)
    #expect(try directory.disk.information(at: version.file)?.identity == first?.identity)
    directory.disk.failAlways(.link, with: .unsupported)
    try store.save(Card(id: "1", title: "c"))
    #expect(try titles(store) == ["b", "a"])
    #expect(directory.problems.all.isEmpty)
  }

  @Test("that cannot be kept do not keep a document from being saved") func refused() throws {
    let store = try directory.open()
    try store.save(Card(id: "1", title: "a"))
    directory.disk.failAlways(.createDirectory)
    try store.save(Card(id: "1", title: "b"))
    #expect(directory.problems.all.map(\.code) == [.notWritten])
    #expect(try directory.open().load("1").title == "b")
  }

  @Test("come back in place of what cannot be read, which is quarantined") func unreadable() throws
  {
    let store = try directory.open()
    for title in ["a", "b"] { try store.save(Card(id: "1", title: title)) }
    let oldest = try #require(try store.versions(of: "1").last)
    try directory.write("{", to: "1.card")
    // It could not be kept as a version either.
    directory.disk.failAlways(.link)
    #expect(try store.restore(oldest, of: "1").title == "a")
    #expect(directory.text("Quarantine/1.card-1") == "{")
    #expect(directory.problems.all.map(\.code) == [.unreadable])
    #expect(try directory.open().load("1").title == "a")
  }

  @Test(
    "come back also where somebody puts something in the place of what is missing",
    arguments: [true, false])
  func contended(isRecovered: Bool) throws {
    let earlier = try directory.open()
    for title in ["a", "b"] { try earlier.save(Card(id: "1", title: title)) }
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card",
      fileSystem: FillingDisk(base: directory.disk))
    let oldest = try #require(try store.versions(of: "1").last)
    try directory.write("{}", to: "1.card")
    let card = try isRecovered ? store.recover("1") : store.restore(oldest, of: "1")
    #expect(card.title == "a" && directory.text("1.card")?.contains("\"a\"") == true)
    #expect(try store.quarantined().count == 1)
  }

  @Test("do not come back in place of what is not to be replaced") func foreign() throws {
    let store = try directory.open()
    for title in ["a", "b"] { try store.save(Card(id: "1", title: title)) }
    let oldest = try #require(try store.versions(of: "1").last)
    let copy = #"{"id":"2","title":"","elements":[]}"#
    try directory.write(copy, to: "1.card")
    let other = #expect(throws: DocumentError.self) { try store.restore(oldest, of: "1") }
    #expect(other?.code == .wrongIdentity)
    #expect(directory.text("1.card") == copy)
    try directory.write("{", to: "1.card")
    directory.disk.failAlways(.createDirectory)
    let error = #expect(throws: DocumentError.self) { try store.restore(oldest, of: "1") }
    #expect(error?.code == .notWritten)
    #expect(directory.text("1.card") == "{")
  }
}

/// A disk on which a card that was quarantined once is there again before anything else is written.
private final class FillingDisk: ForwardingFileSystem {
  let base: SimulatedDisk

  init(base: SimulatedDisk) { self.base = base }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    let card = Directory.path.appending("1.card")
    let second = Directory.path.appending("Quarantine").appending("1.card-2")
    if case .createNew = mode, base.bytes(at: card) == nil, base.bytes(at: second) == nil {
      try? base.write(Array("{}".utf8), to: card)
    }
    return try base.open(path, mode)
  }
}
