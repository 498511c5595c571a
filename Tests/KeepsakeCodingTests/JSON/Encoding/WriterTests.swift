import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("JSON.Writer")
struct WriterTests {
  /// What a macro would make.
  private struct Card: JSON.Writable {
    var name: String
    var cost: Double
    var colors: [String]
    var printings: [String: Int]
    var power: Int?
    var related: [Card]

    func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
      try writer.beginObject()
      writer.key(prejoined: #""name":"#)
      writer.write(name)
      writer.key(prejoined: #""cost":"#)
      try writer.write(cost)
      writer.key(prejoined: #""colors":"#)
      try writer.write(colors)
      writer.key(prejoined: #""printings":"#)
      try writer.write(printings)
      if let power {
        writer.key(prejoined: #""power":"#)
        writer.write(power)
      }
      writer.key("re\"lated")
      try writer.write(related)
      writer.endObject()
    }
  }

  @Test("writes what generated code asks for") func writesWhatGeneratedCodeAsksFor() throws {
    let angel = Card(
      name: "An\"gel/", cost: 5, colors: ["W"], printings: ["SOI": 1], power: nil, related: [])
    let card = Card(
      name: "Avacyn", cost: 2.5, colors: [], printings: [:], power: 4, related: [angel])
    var writer = JSON.Writer()
    try card.write(to: &writer)
    #expect(
      String(decoding: writer.finish(), as: UTF8.self)
        == #"{"name":"Avacyn","cost":2.5,"colors":[],"printings":{},"power":4,"re\"lated":"#
        + #"[{"name":"An\"gel/","cost":5,"colors":["W"],"printings":{"SOI":1},"re\"lated":[]}]}"#)
  }

  @Test("lays text out as Foundation does") func laysTextOutAsFoundationDoes() throws {
    var writer = JSON.Writer(escapesSlashes: true)
    try writer.beginObject()
    writer.key("a,{}[]:\"")
    try writer.write([1, 2])
    writer.key("b")
    try writer.write([Int]())
    writer.key("c")
    try writer.write(["x/": Bool?.none])
    writer.endObject()
    let text = String(decoding: writer.finish(prettyPrinted: true), as: UTF8.self)
    #expect(
      text == """
        {
          "a,{}[]:\\"" : [
            1,
            2
          ],
          "b" : [

          ],
          "c" : {
            "x\\/" : null
          }
        }
        """)
  }

  /// What a writer throws.
  private func error(_ body: (inout JSON.Writer) throws -> Void) -> JSON.WriteError? {
    var writer = JSON.Writer()
    do {
      try body(&writer)
      return nil
    } catch {
      return error as? JSON.WriteError
    }
  }

  @Test("refuses what is no JSON") func refusesWhatIsNoJSON() {
    #expect(error { try $0.write(Double.infinity) } == .nonConformingNumber(.infinity))
    #expect(error { try $0.write(-Float.infinity) } == .nonConformingNumber(-.infinity))
    for text in ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "1 ", "--1"] {
      #expect(error { try $0.write(numberText: text) } == .invalidNumber(text))
    }
    func nest(_ depth: Int, _ writer: inout JSON.Writer) throws {
      for _ in 0..<depth { try writer.beginArray() }
    }
    #expect(error { try nest(JSON.Writer.maximumDepth, &$0) } == nil)
    #expect(error { try nest(JSON.Writer.maximumDepth + 1, &$0) } == .tooDeep)
  }

  @Test("keeps the text of numbers") func keepsTheTextOfNumbers() throws {
    let texts = ["0", "-0", "1.50", "1E400", "123456789012345678901234567890", "-1.5e-07"]
    var writer = JSON.Writer()
    try writer.beginArray()
    for text in texts { try writer.write(numberText: text) }
    writer.endArray()
    #expect(
      String(decoding: writer.finish(), as: UTF8.self) == "[" + texts.joined(separator: ",") + "]")
  }

  @Test(
    "writes strings of every scalar as Foundation does",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func writesStringsOfEveryScalarAsFoundation() throws {
    // A block of scalars at every offset within 16 bytes, and each alone.
    var scalars = String.UnicodeScalarView()
    let pair = EncoderPair()
    for number in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      scalars.append(scalar)
      if number < 0x3000 { pair.expectSame(String(scalar)) }
      guard scalars.count == 4_096 else { continue }
      pair.expectSame(String(scalars))
      scalars.removeAll(keepingCapacity: true)
    }
    pair.expectSame(String(scalars))
  }

  @Test("writes escapes at every place of strings of every length")
  func writesEscapesAtEveryPlaceOfStrings() {
    let pair = EncoderPair()
    for length in 1..<52 {
      var texts: [String] = [String(repeating: "x", count: length)]
      for place in 0..<length {
        for special in ["\"", "\\", "/", "\n", "\u{1F}", "\u{7F}"] {
          var characters = Array(repeating: "x", count: length)
          characters[place] = special
          texts.append(characters.joined())
          characters[(place * 7 + 3) % length] = "\t"
          texts.append(characters.joined())
        }
      }
      pair.expectSame(texts)
    }
    pair.expectSame(String(repeating: "\u{1}", count: 100_000))
  }
}
