import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("The text of an XML property list is Foundation's") struct FoundationTextTests {
  private func expectSame<T: Codable>(_ value: T, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let (ours, theirs) = (PropertyList.Encoder(), Foundation.PropertyListEncoder())
    ours.outputFormat = .xml
    theirs.outputFormat = .xml
    let (text, expected) = (try ours.encode(value), try theirs.encode(value))
    #expect(
      String(decoding: text, as: UTF8.self) == String(decoding: expected, as: UTF8.self),
      sourceLocation: sourceLocation)
    // Both read it to the same bits.
    for data in [text, expected] {
      let read = try PropertyList.Decoder().decode(T.self, from: data)
      let again = try Foundation.PropertyListDecoder().decode(T.self, from: data)
      #expect(try ours.encode(read) == ours.encode(again), sourceLocation: sourceLocation)
    }
  }

  @Test("for numbers of every size") func numbers() throws {
    try expectSame([
      0.0, -0.0, 1, -1, 1.5, 100, 1e15, 1e16, 0x1p53, 0x1p53 + 2, 1e22, 1e-4, 1e-5, 1e100,
      .leastNonzeroMagnitude,
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    ])
    try expectSame([0 as Float, 1, 0.1, 1e10, 16_777_216, 3.4e38, .leastNonzeroMagnitude, .nan])
    var random = RandomValues(seed: 5)
    try expectSame((0..<5_000).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN })
    try expectSame((0..<5_000).map { _ in Double(random.below(2_000_000) - 1_000_000) / 4 })
  }

  @Test("for dates from the year 0 to 9999, in the Julian calendar before 1582-10-15")
  func dates() throws {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    try expectSame(
      [
        0, 0.5, -0.5, -1, 1e9, -13_197_600_000, -13_197_600_001, -13_197_686_400, -63_113_904_000,
        -63_113_904_001, -63_145_526_400, -63_145_699_200, 252_423_993_599,
      ].map(date))
    var random = RandomValues(seed: 6)
    try expectSame(
      (0..<5_000).map { _ in date(Double(random.below(315_569_692_799) - 63_145_699_200)) })
    // Each day around the ends of the months that only the Julian calendar has.
    try expectSame(
      stride(from: 0, through: 1600, by: 100).flatMap { year in
        (0..<800).map { day in
          date(-63_145_699_200 + Double(year * 31_557_600) + Double(day * 86_400))
        }
      })
  }

  @Test(
    "and a date without a text is an error that names it",
    arguments: [.infinity, -.infinity, .nan, 1e20, 252_423_993_600, -63_145_699_201])
  func unwritableDates(seconds: Double) throws {
    let encoder = PropertyList.Encoder()
    let value = ["a": [Date(timeIntervalSinceReferenceDate: seconds)]]
    let binary = try encoder.encode(value)
    let read = try PropertyList.Decoder().decode([String: [Date]].self, from: binary)
    let bits = read["a"]?.first?.timeIntervalSinceReferenceDate.bitPattern
    #expect(bits == seconds.bitPattern)
    encoder.outputFormat = .xml
    do {
      _ = try encoder.encode(value)
      Issue.record("It was encoded.")
    } catch EncodingError.invalidValue(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
      #expect(context.debugDescription.contains("years 0 to 9999"))
    }
    // Nor does one that is replaced, or whose value failed, matter.
    struct Replaced: Encodable {
      let date: Date
      func encode(to encoder: any Encoder) throws {
        struct Failing: Encodable {
          let date: Date
          func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(date)
            throw CancellationError()
          }
        }
        var container = encoder.container(keyedBy: NamedKey.self)
        try? container.encode(Failing(date: date), forKey: "failed")
        try container.encode(date, forKey: "replaced")
        try container.encode(Date(timeIntervalSinceReferenceDate: 0), forKey: "replaced")
      }
    }
    let replaced = Replaced(date: Date(timeIntervalSinceReferenceDate: seconds))
    #expect(try encoder.encode(replaced).count > 0)
    // A failed encoding leaves nothing behind.
    #expect(try encoder.encode(["a": Date(timeIntervalSinceReferenceDate: 0)]).count > 0)
  }

  @Test(
    "and what Foundation refuses is refused",
    arguments: [
      "<integer>1 </integer>", "<integer>\n1\n</integer>", "<real>1 </real>", "<true> </true>",
      "<false>\n</false>", "<date> 2026-11-21T01:02:03Z</date>",
      "<date>2026-11-21T01:02:03Z </date>",
      "<date>2026-11-21t01:02:03z</date>",
      "<date>2026-11-21T01:02:03+01:00</date>", "<date>2026-11-21</date>",
    ])
  func refused(element: String) {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><array>\(element)</array></plist>"
    let data = Data(text.utf8)
    func reads<T: Decodable>(_ type: T.Type) -> (ours: Bool, theirs: Bool) {
      (
        (try? PropertyList.Decoder().decode(type, from: data)) != nil,
        (try? Foundation.PropertyListDecoder().decode(type, from: data)) != nil
      )
    }
    for (ours, theirs) in [
      reads([Int].self), reads([Double].self), reads([Bool].self), reads([Date].self),
    ] {
      #expect(!ours && !theirs)
    }
  }

  @Test(
    "in UTF-16 and UTF-32, too",
    arguments: [
      String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian,
      .utf32BigEndian,
    ])
  func encodings(encoding: String.Encoding) throws {
    let expected = ["k": "aé🏋️"]
    let xml = """
      <?xml version="1.0" encoding="UTF-16"?>
      <plist version="1.0"><dict><key>k</key><string>aé🏋️</string></dict></plist>
      """
    let data = try #require(xml.data(using: encoding))
    #expect(try PropertyList.Decoder().decode([String: String].self, from: data) == expected)
    #expect(try PropertyList.Value(parsing: Array(data)) == ["k": "aé🏋️"])
    #expect(PropertyList.recover(Array(data)).errors.isEmpty)
    let strings = try #require("\"k\" = \"aé🏋️\";".data(using: encoding))
    #expect(try PropertyList.Decoder().decode([String: String].self, from: strings) == expected)
    #expect(throws: DecodingError.self) {
      try PropertyList.Decoder().decode([String: String].self, from: data.dropLast())
    }
    let json = try #require(#"{"k":"aé🏋️"}"#.data(using: encoding))
    #expect(try JSON.Value(parsing: json) == .object(["k": .string("aé🏋️")]))
    #expect(try JSON.Value(parsing: Array(json)) == JSON.Value(parsing: json))
    #expect(throws: JSON.ParseError.self) { try JSON.Value(parsing: json.dropLast()) }
  }

  private struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }

  @Test("and so are the errors of values that are no property list") func errors() {
    func text<T: Encodable>(_ value: T, _ encode: (T) throws -> Data) -> String {
      do { return String(decoding: try encode(value), as: UTF8.self) } catch { return "\(error)" }
    }
    for format in [PropertyList.Format.xml, .binary] {
      let (ours, theirs) = (PropertyList.Encoder(), Foundation.PropertyListEncoder())
      ours.outputFormat = format
      theirs.outputFormat = format
      func expectSame<T: Encodable>(_ value: T, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
          text(value, ours.encode) == text(value, theirs.encode), sourceLocation: sourceLocation)
      }
      expectSame(Nothing())
      expectSame([Nothing()])
      expectSame("a")
      expectSame(1)
      expectSame(1.5)
      expectSame(true)
      expectSame(Int?.none)
      expectSame(Date(timeIntervalSinceReferenceDate: 0))
      expectSame(Data([1]))
    }
    #expect(
      text(Nothing(), JSON.Encoder().encode) == text(Nothing(), Foundation.JSONEncoder().encode))
  }
}
