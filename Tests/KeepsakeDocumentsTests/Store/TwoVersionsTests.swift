import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P3, P8: Two versions of an app on one directory") struct TwoVersionsTests {
  let directory = Directory()
  /// Open documents are only saved when a test says so.
  let configuration = {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    return configuration
  }()

  struct Older: Codable, Equatable, Identifiable {
    var id = "1"
    var title = ""
    var size = 1
  }

  struct Newer: Codable, Equatable, Identifiable {
    struct Frame: Codable, Equatable {
      var width = 10
      var height = 20
    }

    var id = "1"
    var title = ""
    var size = 1
    var frame = Frame()
    var tags: [String] = ["new"]
  }

  private func older() throws -> DocumentStore<Older> {
    try DocumentStore(
      directory: Directory.path, pathExtension: "page", configuration: configuration,
      fileSystem: directory.disk)
  }

  private func newer() throws -> DocumentStore<Newer> {
    try DocumentStore(
      directory: Directory.path, pathExtension: "page", defaultDocument: Newer(),
      configuration: configuration, fileSystem: directory.disk)
  }

  @Test("Each changes what it knows, in turn, and nothing is lost") func inTurn() throws {
    let (old, new) = (try older(), try newer())
    try old.create(Older(title: "old"))
    for number in 1...5 {
      var page = try new.load("1")
      #expect(page.frame.width == (number == 1 ? 10 : number - 1))
      page.frame.width = number
      page.tags.append("\(number)")
      try new.save(page)
      var olderPage = try old.load("1")
      olderPage.title = "old \(number)"
      try old.save(olderPage)
    }
    #expect(
      try newer().load("1")
        == Newer(
          title: "old 5", frame: Newer.Frame(width: 5), tags: ["new", "1", "2", "3", "4", "5"]))
  }

  @Test("Both have it open, and changes of different keys are merged") func open() throws {
    let (old, new) = (try older(), try newer())
    let ours = try old.add(Older(title: "old"))
    let theirs = try new.open("1")
    // Both before either saves: a document without edits follows its file, at some later time.
    ours.edit { $0.title = "changed" }
    theirs.edit { $0.frame.height = 30 }
    try theirs.save()
    let error = #expect(throws: DocumentError.self) { try ours.save() }
    #expect(error?.code == .conflict && error?.conflict?.overlaps.isEmpty == true)
    try ours.resolve(.merge)
    let page = try newer().load("1")
    #expect(page.title == "changed" && page.frame.height == 30)
  }

  @Test("A document that the older one cannot read is listed, left, and read by the newer again")
  func changedType() async throws {
    struct Changed: Codable, Identifiable {
      var id = "1"
      var title = ["en": "new"]
      var size = 1
    }
    let changed = try DocumentStore<Changed>(
      directory: Directory.path, pathExtension: "page", fileSystem: directory.disk)
    try changed.create(Changed())
    let text = directory.text("1.page")
    let old = try older()
    let error = #expect(throws: DocumentError.self) { try old.load("1") }
    #expect(error?.code == .unreadable && error?.keyPath == "title")
    #expect(error?.line == 4 && error?.file == Directory.path.appending("1.page"))
    #expect(try old.ids() == ["1"])
    var errors: [DocumentError] = []
    for await element in old.loadAll() { element.error.map { errors.append($0) } }
    #expect(errors.map(\.code) == [.unreadable])
    for attempt in [
      { () throws in try old.save(Older(title: "mine")) }, { try old.create(Older()) },
      { _ = try old.open("1") },
    ] {
      #expect(throws: DocumentError.self) { try attempt() }
    }
    #expect(directory.text("1.page") == text && directory.names == ["1.page"])
    #expect(try changed.load("1").title == ["en": "new"])
  }
}
