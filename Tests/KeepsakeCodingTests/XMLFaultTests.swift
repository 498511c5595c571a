import Foundation
import KeepsakeCoding
import Testing

@Suite("P9: XML property lists that cannot be read")
struct XMLFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let column: Int
    let message: String
    var path: [String] = []
    var testDescription: String { message }
  }

  static let cases = [
    Case(text: "", line: 1, column: 1, message: "the file holds no property list"),
    Case(
      text: "bplist00", line: 1, column: 1,
      message: "this is a binary property list; convert it with plutil -convert xml1"),
    Case(
      text: "<?xml version='1.0' encoding='ISO-8859-1'?><plist/>", line: 1, column: 1,
      message: "a property list is read in UTF-8, UTF-16 and UTF-32; this declares iso-8859-1"),
    Case(
      text: "<!DOCTYPE plist [<!ENTITY a 'b'>]>", line: 1, column: 17,
      message: "a DOCTYPE with declarations of its own is refused"),
    Case(
      text: "<plist>\n<string>&lol;</string></plist>", line: 2, column: 9,
      message: "&lol; is an unknown entity; only XML's five are read"),
    Case(
      text: "<string>&#xD800;</string>", line: 1, column: 9, message: "&#xD800; is no character"),
    Case(
      text: "<string>a & b</string>", line: 1, column: 11,
      message: "\"&\" that starts no reference; it is written &amp;"),
    Case(
      text: "<plist/>", line: 1, column: 1,
      message: "a property list holds one value; this holds none"),
    Case(
      text: "<plist></plist>", line: 1, column: 8, message: "</plist> where a value must be"),
    Case(
      text: "<plist><true/>\n<false/></plist>", line: 2, column: 1,
      message: "a property list holds one value; this is a second"),
    Case(
      text: "<true/>x", line: 1, column: 8, message: "\"x\" after the end of the property list"),
    Case(
      text: "<dict>\n\t<key>é</key>\n\té<true/></dict>", line: 3, column: 2,
      message: "byte 0xc3 where a tag must be", path: ["é"]),
    Case(
      text: "<dict><key>a</key></dict>", line: 1, column: 19, message: "a key without a value",
      path: ["a"]),
    Case(
      text: "<dict><true/></dict>", line: 1, column: 7,
      message: "<true> where a <key> or </dict> must be"),
    Case(
      text: "<array><true/><dict><key>b</key><array></dict>", line: 1, column: 40,
      message: "</dict> where </array> must come first", path: ["1", "b", "0"]),
    Case(
      text: "<array><key>a</key></array>", line: 1, column: 8,
      message: "<key> where a value must be", path: ["0"]),
    Case(
      text: "<array><foo/></array>", line: 1, column: 8,
      message: "\"<foo/\" is not a tag of a property list", path: ["0"]),
    Case(
      text: "<string>a</integer>", line: 1, column: 10,
      message: "<integer> where </string> must be"),
    Case(text: "<string>a", line: 1, column: 10, message: "the file ends inside of <string>"),
    Case(text: "<string>a\0", line: 1, column: 10, message: "a NUL byte in <string>"),
    Case(text: "<tru", line: 1, column: 5, message: "the file ends inside of a tag"),
    Case(
      text: "<array>", line: 1, column: 8, message: "the file ends before the property list does",
      path: ["0"]),
    Case(text: "<!-- ", line: 1, column: 1, message: "a comment without its end \"-->\""),
    Case(
      text: "<string><![CDATA[a]]</string>", line: 1, column: 9,
      message: "a CDATA section without its end \"]]>\""),
    Case(text: "<integer/>", line: 1, column: 1, message: "<integer> is empty"),
    Case(text: "<integer></integer>", line: 1, column: 10, message: "\"\" is not a whole number"),
    Case(
      text: "<integer>1.5</integer>", line: 1, column: 10, message: "\"1.5\" is not a whole number"),
    Case(
      text: "<integer>0x</integer>", line: 1, column: 10,
      message: "\"0x\" is not a whole number"),
    Case(
      text: "<integer>18446744073709551616</integer>", line: 1, column: 10,
      message: "18446744073709551616 is out of range"),
    Case(
      text: "<integer>-9223372036854775809</integer>", line: 1, column: 10,
      message: "-9223372036854775809 is out of range"),
    Case(text: "<real>1,5</real>", line: 1, column: 7, message: "\"1,5\" is not a number"),
    Case(text: "<real>1e999</real>", line: 1, column: 7, message: "1e999 is out of range"),
    Case(
      text: "<date>2026-02-29T00:00:00Z</date>", line: 1, column: 7,
      message: "\"2026-02-29T00:00:00Z\" is not a date; one is written 2026-11-21T01:02:03Z"),
    Case(text: "<data>AAA</data>", line: 1, column: 10, message: "not valid base64"),
    Case(text: "<data>A*AA</data>", line: 1, column: 8, message: "not valid base64"),
    Case(text: "<data>AA==AAAA</data>", line: 1, column: 11, message: "not valid base64"),
    Case(
      text: "<plist version=1.0><true/></plist>", line: 1, column: 16,
      message: "an attribute's value without quotes"),
  ]

  @Test("Every fault is named with its place", arguments: cases)
  func faults(_ fault: Case) {
    let error = #expect(throws: PropertyList.ParseError.self) {
      try PropertyList.Value(parsingXML: Array(fault.text.utf8))
    }
    #expect(error?.message == fault.message)
    #expect(error?.location.line == fault.line)
    #expect(error?.location.column == fault.column)
    #expect(error?.path == fault.path)
  }

  @Test("A description says where and what")
  func description() {
    let error = #expect(throws: PropertyList.ParseError.self) {
      try PropertyList.Value(
        parsingXML: Array("<dict>\n<key>a.b</key><array><integer>x</integer>".utf8))
    }
    #expect(
      error?.description == "line 2, column 31, in \"a.b\" / \"0\": \"x\" is not a whole number")
    #expect(error?.location.offset == 37)
  }

  @Test("Bytes that are not UTF-8 are a fault at their place, in any form that they take")
  func invalidUTF8() {
    for bytes: [UInt8] in [
      [0x80], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
      [0xE2, 0x82],
    ] {
      for tail in ["</string>", "&amp;</string>"] {
        let error = #expect(throws: PropertyList.ParseError.self) {
          try PropertyList.Value(parsingXML: Array("<string>é".utf8) + bytes + Array(tail.utf8))
        }
        #expect(error?.location.column == 10)
        #expect(error?.location.offset == 10)
      }
    }
  }

  @Test("512 containers deep is read, deeper is a fault, however deep")
  func depth() throws {
    for name in ["array", "dict"] {
      let key = name == "dict" ? "<key></key>" : ""
      func nested(_ depth: Int) -> [UInt8] {
        let tail = String(repeating: "</\(name)>", count: depth)
        return Array(
          (String(repeating: "<\(name)>\(key)", count: depth).dropLast(key.count) + tail).utf8)
      }
      let value = try PropertyList.Value(parsingXML: nested(PropertyList.maximumDepth))
      #expect(try PropertyList.Value(parsingXML: value.serializedXML()) == value)
      for depth in [513, 100_000] {
        let error = #expect(throws: PropertyList.ParseError.self) {
          try PropertyList.Value(parsingXML: nested(depth))
        }
        #expect(error?.message == "more than 512 containers deep")
        #expect(error?.path.count == 512)
      }
    }
  }

  @Test("Random damage never crashes a reader, and what is read is written and read the same")
  func randomDamage() throws {
    var random = RandomValues(seed: 8)
    let pieces = [
      "<dict>", "</dict>", "<key>", "</key>", "<array>", "&#x", ";", "<!--", "-->", "<![CDATA[",
      "]]>", "<?", "<", ">", "\0",
    ]
    for _ in 0..<5_000 {
      var bytes = PropertyList.Value.dictionary(random.dictionary(count: 3)).serializedXML()
      for _ in 0...random.below(3) {
        let offset = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[offset] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: offset)
        default: bytes.insert(contentsOf: pieces[random.below(pieces.count)].utf8, at: offset)
        }
      }
      _ = PropertyList.recover(bytes)
      guard let value = try? PropertyList.Value(parsingXML: bytes) else { continue }
      #expect(try PropertyList.Value(parsingXML: value.serializedXML()) == value)
    }
  }
}
