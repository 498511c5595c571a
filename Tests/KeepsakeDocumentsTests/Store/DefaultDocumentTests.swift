import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P3, P8: Documents without keys that the type has by now") struct DefaultDocumentTests {
  let directory = Directory()

  struct Page: Codable, Equatable, Identifiable {
    struct Margins: Codable, Equatable {
      var top = 10
      var bottom = 20
    }

    var id = "1"
    var colour = "yellow"
    var margins = Margins()
  }

  @Test("Missing keys are those of the default document, at any depth", arguments: [nil, 2])
  func defaults(_ version: Int?) throws {
    var configuration = DocumentConfiguration()
    configuration.schema = version.map { DocumentSchema(version: $0) }
    let old = #"{ "id": "1", "margins": { "top": 5 }, "more": true }"#
    try directory.write(old, to: "1.page")
    let store = try DocumentStore<Page>(
      directory: Directory.path, pathExtension: "page", defaultDocument: Page(),
      configuration: configuration, fileSystem: directory.disk)
    var page = try store.load("1")
    #expect(page == Page(margins: .init(top: 5, bottom: 20)))
    page.colour = "blue"
    try store.save(page)
    #expect(try store.load("1") == page)
    #expect(directory.text("1.page")?.contains("\"more\" : true") == true)
  }

  @Test("A missing key without a default document, or a wrong type, is an error") func noDefaults()
    throws
  {
    try directory.write(#"{ "id": "1", "margins": { "top": "5" } }"#, to: "1.page")
    let store = try DocumentStore<Page>(
      directory: Directory.path, pathExtension: "page", defaultDocument: Page(),
      fileSystem: directory.disk)
    // A wrong type is no missing key.
    let error = #expect(throws: DocumentError.self) { try store.load("1") }
    #expect(error?.code == .unreadable)
    try directory.write(#"{ "title": "x" }"#, to: "2.card")
    let missing = #expect(throws: DocumentError.self) { try directory.open().load("2") }
    #expect(missing?.code == .unreadable)
  }

  // MARK: What is not missing

  enum Shape: Codable, Equatable {
    case none
    case circle(radius: Double)
  }

  struct Drawing: Codable, Equatable, Identifiable {
    struct Pen: Codable, Equatable {
      struct Tip: Codable, Equatable {
        var width = 1
        var angle = 45
      }

      var tip = Tip()
      var ink = "black"
    }

    struct Point: Codable, Equatable {
      var x = 0
      var y = 0
    }

    var id = "1"
    var shape = Shape.none
    var colour = "yellow"
    var shortcuts = ["save": "S", "undo": "Z"]
    var note: String? = "a note"
    var remark: String? = "a remark"
    var pen = Pen()
    var points = [Point()]
  }

  private func drawings(_ version: Int? = nil) throws -> DocumentStore<Drawing> {
    var configuration = DocumentConfiguration()
    configuration.schema = version.map { DocumentSchema(version: $0) }
    return try DocumentStore(
      directory: Directory.path, pathExtension: "drawing", defaultDocument: Drawing(),
      configuration: configuration, fileSystem: directory.disk)
  }

  @Test(
    "The case of an enumeration, the entries of a dictionary and nil values are kept",
    arguments: [nil, 1, 2])
  func others(_ version: Int?) async throws {
    let old = """
      {"id": "1", "shape": {"circle": {"radius": 5}}, "shortcuts": {"redo": "Y"}, "note": null,
       "pen": {"tip": {"angle": 30}}, "points": []}
      """
    try directory.write(old, to: "1.drawing")
    let store = try drawings(version)
    var expected = Drawing()
    expected.shape = .circle(radius: 5)
    expected.shortcuts = ["redo": "Y"]
    expected.note = nil
    expected.remark = nil
    expected.pen.tip.angle = 30
    expected.points = []
    for await item in store.loadAll() { #expect(try item.result.get() == expected) }
    #expect(directory.names == ["1.drawing"])

    var drawing = try store.load("1")
    try store.save(drawing)
    #expect(directory.text("1.drawing").map { !$0.contains("undo") } == true)
    drawing.colour = "blue"
    drawing.pen.tip.width = 3
    try store.save(drawing)
    #expect(try drawings(version).load("1") == drawing)
  }

  @Test("An element of an array without a key is an error") func elements()
    throws
  {
    let old = #"{"id": "1", "points": [{"x": 1, "y": 2}, {"x": 1}]}"#
    try directory.write(old, to: "1.drawing")
    let error = #expect(throws: DocumentError.self) { try drawings().load("1") }
    #expect(error?.code == .unreadable)
    #expect(directory.names == ["1.drawing"] && directory.text("1.drawing") == old)
  }
}
