import Foundation
import KeepsakeCoding
import Testing

@Suite("A property list in OpenStep's format") struct OpenStepTests {
  typealias Value = PropertyList.Value

  static let samples: [(String, Value)] = [
    ("{ }", .dictionary([:])),
    ("()", .array([])),
    ("plain_string/with.all:$-9", "plain_string/with.all:$-9"),
    ("{ a = b; \"c d\" = 'e \"f\"'; }", ["a": "b", "c d": "e \"f\""]),
    ("( a, \"b\" , (c), {d = e;}, )", ["a", "b", ["c"], ["d": "e"]]),
    ("<0fbd 77\n1C2735ae>", .data(Data([0x0F, 0xBD, 0x77, 0x1C, 0x27, 0x35, 0xAE]))),
    ("{ data = <>; }", ["data": .data(Data())]),
    ("/* head */ // line\n{ key = /* inside */ value; }", ["key": "value"]),
    ("\"a\" = \"b\";\n/* second */\nc = d;\n", ["a": "b", "c": "d"]),
    ("alone;\nother = x;", ["alone": "alone", "other": "x"]),
    ("", .dictionary([:])), ("/* nothing */", .dictionary([:])),
    ("\"\\n\\t\\\\\\\"\\U00e9\\101\\341\\Ud83d\\Ude00é\\é\"", "\n\t\\\"éAÆ😀éé"),
    ("{ a = 1; a = 2; }", ["a": "2"]), ("\u{FEFF}{}", .dictionary([:])),
    (
      "// !$*UTF8*$!\n{ archiveVersion = 1; objects = { ABC = { isa = PBXFile; }; }; }",
      ["archiveVersion": "1", "objects": ["ABC": ["isa": "PBXFile"]]]
    ),
  ]

  @Test("is read", arguments: samples) func isRead(text: String, value: Value) throws {
    #expect(try Value(parsingOpenStep: Array(text.utf8)) == value)
    if !text.isEmpty {
      var format = PropertyList.Format.xml
      #expect(try Value(parsing: Array(text.utf8), format: &format) == value)
      #expect(format == .openStep)
    }
  }

  @Test(
    "is refused with line and column",
    arguments: [
      ("{ a = b }", 1, 9, "\"}\" where \";\" must be", [String]()),
      ("{\n a = (b, c;\n}", 2, 11, "\";\" where \",\" or \")\" must be", ["a"]),
      ("{ a = \"b; }", 1, 7, "a string without its closing quote", ["a"]),
      ("( <0f7> )", 1, 7, "half a byte at the end of data", ["0"]),
      ("( a, <0g> )", 1, 8, "\"g\" inside of data", ["1"]),
      ("{ a = b; } c", 1, 12, "\"c\" after the end of the property list", []),
      ("/* a", 1, 1, "a comment without its end \"*/\"", []),
      ("{ a = ", 1, 7, "the file ends where a value must be", ["a"]),
    ])
  func isRefusedWithLineAndColumn(
    text: String, line: Int, column: Int, message: String, path: [String]
  ) throws {
    let error = try #require(throws: PropertyList.ParseError.self) {
      try Value(parsingOpenStep: Array(text.utf8))
    }
    #expect(
      error.message == message && error.location.line == line && error.location.column == column)
    #expect(path.isEmpty || error.path == path)
  }

  @Test("that is too deep, or damaged anywhere, crashes nothing") func thatIsTooDeep() {
    #expect(throws: PropertyList.ParseError.self) {
      try Value(parsingOpenStep: Array(repeating: UInt8(ascii: "("), count: 100_000))
    }
    let text = Array("{ a = (b, <0fbd>, \"c\\U00e9\\101\"); /* x */ 'd' = { e; }; }".utf8)
    for index in text.indices {
      _ = try? Value(parsingOpenStep: Array(text[..<index]))
      for byte in UInt8.min...UInt8.max {
        var damaged = text
        damaged[index] = byte
        _ = try? Value(parsingOpenStep: damaged)
      }
    }
  }

  @Test("is decoded") func isDecoded() throws {
    struct Project: Decodable { var name: String, tags: [String] }
    var format = PropertyList.Format.xml
    let project = try PropertyList.Decoder().decode(
      Project.self, from: Data("{ name = \"Ä\"; tags = (x, y); }".utf8), format: &format)
    #expect(project.name == "Ä" && project.tags == ["x", "y"] && format == .openStep)
  }
}
