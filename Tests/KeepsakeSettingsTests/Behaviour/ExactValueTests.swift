import FoundationEssentials
import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

/// Sets a value and expects it from the same store, from one that reads the journal, and from one
/// that reads the property list.
private func expectKept<Value>(
  _ value: Value, by key: SettingsKey<Value>, sourceLocation: SourceLocation = #_sourceLocation,
  isSame: (Value, Value) -> Bool
) throws {
  try withHome { home in
    let first = try home.open()
    try first.set(value, for: key)
    let here = try first.value(for: key)
    #expect(isSame(here, value), "here: \(here)", sourceLocation: sourceLocation)
    let fromJournal = try home.open().value(for: key)
    #expect(
      isSame(fromJournal, value), "from the journal: \(fromJournal)",
      sourceLocation: sourceLocation)
    try first.save()
    let fromList = try home.open().value(for: key)
    #expect(
      isSame(fromList, value), "from the property list: \(fromList)",
      sourceLocation: sourceLocation)
  }
}

@Suite("Exact values") struct ExactValueTests {
  @Test(
    "A floating-point number is read back bit for bit",
    arguments: [
      0, -0.0, 0.1, 1.0 / 3, .leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude,
      -1e300,
      9_007_199_254_740_992, .infinity, -.infinity, .nan,
    ])
  func floatingPoint(number: Double) throws {
    try expectKept(number, by: SettingsKey("number", default: 1)) {
      $0.bitPattern == $1.bitPattern
    }
    // Also as part of an encoded value.
    try expectKept([Part(number: number)], by: SettingsKey("parts", default: [])) {
      $0.count == 1 && $0[0].number.bitPattern == $1[0].number.bitPattern
    }
  }

  private struct Part: Codable { var number: Double }

  @Test(
    "A single-precision number is read back bit for bit",
    arguments: [0, -0.0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity])
  func singlePrecision(number: Float) throws {
    try expectKept(number, by: SettingsKey("number", default: 1)) {
      $0.bitPattern == $1.bitPattern
    }
  }

  @Test(
    "A decimal number is read back digit for digit",
    arguments: [
      "1.1", "0", "-0.1", "3.14159265358979323846264338327950288419",
      "99999999999999999999999999999999999999", "-12345678901234567890123456789012345678",
      "0.00000000000000000000000000000000000001", "1e-127", "-7e-100", "1e127", "123e20",
      "340282366920938463463374607431768211455",
    ])
  func decimal(text: String) throws {
    let number = try #require(Decimal(string: text))
    try expectKept(number, by: SettingsKey("number", default: 1)) {
      $0.description == $1.description && $0 == $1
    }
    try expectKept(number, by: SettingsKey("number")) { $0 == $1 }
  }

  @Test("A decimal NaN is read back") func decimalNaN() throws {
    try expectKept(Decimal.nan, by: SettingsKey("number", default: 1)) { $0.isNaN && $1.isNaN }
  }

  @Test(
    "A date is read back, with whole seconds or fractions, in any year",
    arguments: [
      0, 1, -1, 0.5, 700_000_000.123_456_7, -978_307_200.001, 1e-9, -63_114_076_800,
      -63_114_076_801, 252_423_993_599, 252_423_993_600, 1e15, 1e300, .infinity,
    ])
  func date(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    try expectKept(date, by: SettingsKey("date", default: .now)) { $0 == $1 }
    try expectKept([date], by: SettingsKey("dates", default: [])) { $0 == $1 }
  }

  @Test(
    "Text is read back byte for byte",
    arguments: [
      "", " ", "\n\t line \r\n end \r", "<&>\"'", "]]>", "<!-- -->", "\u{0}", "a\u{0}b",
      "\u{1}\u{1F}",
      "\u{7F}\u{85}\u{2028}", "\u{FFFE}\u{FFFF}", "\u{FEFF}start", "e\u{301}", "\u{E9}", "👩‍👩‍👧‍👦",
      "\u{10FFFF}", "&#38;", "%00", String(repeating: "ab ", count: 100_000),
    ])
  func text(text: String) throws {
    try expectKept(text, by: SettingsKey("text", default: "none")) {
      Array($0.utf8) == Array($1.utf8)
    }
    try expectKept([text: text], by: SettingsKey("texts", default: [:])) {
      $0.values.map { Array($0.utf8) } == $1.values.map { Array($0.utf8) }
        && $0.keys.map { Array($0.utf8) } == $1.keys.map { Array($0.utf8) }
    }
  }

  @Test("Data is read back", arguments: [0, 1, 44, 45, 46, 100_000])
  func data(count: Int) throws {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try expectKept(data, by: SettingsKey("data", default: Data([9]))) { $0 == $1 }
    // Not all data begins at index 0.
    try expectKept(data.dropFirst(), by: SettingsKey("data", default: Data([9]))) { $0 == $1 }
  }

  @Test(
    "A URL is read back",
    arguments: [
      "https://example.com/a%20b?q=1&r=%C3%A9#f", "file:///tmp/a%20b/", "mailto:a@b.c",
      "relative/x",
      "https://[::1]:8080/", "data:,x",
    ])
  func url(text: String) throws {
    let url = try #require(URL(string: text))
    try expectKept(url, by: SettingsKey("url")) { $0?.absoluteString == $1?.absoluteString }
  }

  @Test("An encoded value is read back with everything that Codable supports")
  func encodedValue() throws {
    struct Inside: Codable, Equatable {
      var none: Int?
      var unsigned = UInt64.max
      var small = Int8.min
      var float: Float = 0.1
      var flag = true
      var data = Data([1, 2])
      var decimal = Decimal(string: "1.1")!
      var url = URL(string: "https://example.com/a%20b")!
      var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
      var second = Date(timeIntervalSinceReferenceDate: 700_000_000)
      var nested: [String: [Int: [Appearance]]] = ["a.b": [3: [.dark]]]
      var set: Set<String> = ["x"]
      var shape = Shape.circle(radius: 0.1)
    }
    try expectKept(Inside(), by: SettingsKey("inside", default: Inside(none: 1))) { $0 == $1 }
  }

  @Test("A fraction of a second is read back within an encoded value")
  func nestedFractionOfSecond() throws {
    struct Inside: Codable, Equatable { var date: Date }
    let value = Inside(date: Date(timeIntervalSinceReferenceDate: 700_000_000.25))
    try expectKept(value, by: SettingsKey("inside", default: Inside(date: .distantPast))) {
      $0 == $1
    }
  }

  @Test("A deep collection is read back or refused") func deepCollections() throws {
    for depth in [100, 500, 509, 510, 511, 512, 513, 600, 5000] {
      try withHome { home in
        var value: PropertyList.Value = "core"
        for _ in 0..<depth { value = .array([value]) }
        let key = SettingsKey<PropertyList.Value?>("deep")
        let store = try home.open()
        try store.set(1, for: SettingsKey("other", default: 0))
        let kept: PropertyList.Value?
        do throws(SettingsError) {
          try store.set(value, for: key)
          kept = value
        } catch {
          #expect(error.code == .unencodable && error.key == "deep")
          #expect(depth > 500)
          kept = nil
        }
        let fromJournal = Problems()
        #expect(try home.open(problems: fromJournal).value(for: key) == kept, "\(depth)")
        try store.save()
        let fromList = Problems()
        let next = try home.open(problems: fromList)
        #expect(try next.value(for: key) == kept, "\(depth)")
        #expect(next[SettingsKey("other", default: 0)] == 1)
        #expect(fromJournal.all.isEmpty && fromList.all.isEmpty, "\(depth)")
      }
    }
  }
}
