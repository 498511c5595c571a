import Foundation
import KeepsakeCoding
import Testing

@Suite("XML property lists, written and read")
struct XMLRoundTripTests {
  @Test("P11: 20,000 random values come back the same, and are written the same again")
  func randomValues() throws {
    var random = RandomValues(seed: 1)
    for _ in 0..<20_000 {
      let value = random.value()
      let bytes = value.serializedXML()
      let copy = try PropertyList.Value(parsingXML: bytes)
      guard copy == value, copy.serializedXML() == bytes else {
        Issue.record("not the same: \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test("Every Unicode scalar comes back, in a value and in a key")
  func everyScalar() throws {
    for first in stride(from: UInt32(0), to: 0x11_0000, by: 0x1000) {
      let scalars = (first..<first + 0x1000).compactMap { Unicode.Scalar($0) }
      let text = String(String.UnicodeScalarView(scalars))
      let bytes = PropertyList.Value.dictionary([text: .string(text)]).serializedXML()
      let copy = try PropertyList.dictionary(parsingXML: bytes)
      #expect(copy.keys.first.map { Array($0.utf8) } == Array(text.utf8))
      guard case .string(let string) = copy[text] else {
        Issue.record("not the same kind of value")
        return
      }
      #expect(string.utf8.elementsEqual(text.utf8))
    }
  }

  @Test("Canonically equivalent strings keep their own bytes")
  func canonicalEquivalence() throws {
    for text in ["\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}"] {
      let bytes = PropertyList.Value.string(text).serializedXML()
      guard case .string(let copy) = try PropertyList.Value(parsingXML: bytes) else {

        Issue.record("not the same kind of value")
        return

      }
      #expect(copy.utf8.elementsEqual(text.utf8))
    }
  }

  @Test("P11: the same entries in another order of insertion give the same bytes")
  func order() {
    var random = RandomValues(seed: 2)
    let entries = random.dictionary(count: 200)
    var copy: [String: PropertyList.Value] = [:]
    for (key, value) in entries.reversed() { copy[key] = value }
    let bytes = PropertyList.Value.dictionary(entries).serializedXML()
    #expect(PropertyList.Value.dictionary(copy).serializedXML() == bytes)
    let sorted = entries.sorted { PropertyList.precedes($0.key, $1.key) }
    #expect(PropertyList.serializeXML(sortedEntries: sorted.map { ($0.key, $0.value) }) == bytes)
    #expect(
      sorted.map { Array($0.key.utf8) }
        == sorted.map { Array($0.key.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test("A number that is not a number stays so")
  func nan() throws {
    let bytes = PropertyList.Value.real(-.nan).serializedXML()
    guard case .real(let copy) = try PropertyList.Value(parsingXML: bytes) else {

      Issue.record("not the same kind of value")
      return

    }
    #expect(copy.isNaN)
  }

  @Test(
    "A date comes back to the last bit",
    arguments: [
      0, 0.1, -0.1, -1e-20, 1e-20, .leastNonzeroMagnitude, -(.leastNonzeroMagnitude), -0.5, 123.456,
      -978_307_200.25,
      700_000_000.123456, 0x1.fffffffffffffp29, -63_113_904_000, -63_113_904_000.5,
      252_423_993_599.5,
      252_423_993_600, 1e300, -1e300, .infinity, -.infinity, .greatestFiniteMagnitude, 1e16, -7,
      4e11,
    ])
  func dates(seconds: Double) throws {
    let value = PropertyList.Value.date(Date(timeIntervalSinceReferenceDate: seconds))
    #expect(try PropertyList.Value(parsingXML: value.serializedXML()) == value)
  }

  @Test("The second of every month's first and last day, over 10,000 years, comes back")
  func calendar() throws {
    // Thirty days and a prime number of seconds lead through every month, hour and minute.
    for seconds in stride(from: -63_113_904_000.0, to: 252_423_993_600, by: 30 * 86_400 + 7_919) {
      let value = PropertyList.Value.date(Date(timeIntervalSinceReferenceDate: seconds))
      guard try PropertyList.Value(parsingXML: value.serializedXML()) == value else {
        Issue.record("\(seconds)")
        return
      }
    }
  }
}
