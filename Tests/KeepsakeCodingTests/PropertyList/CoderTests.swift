import Foundation
import KeepsakeCoding
import Testing

private typealias PropertyListEncoder = PropertyList.Encoder
private typealias PropertyListDecoder = PropertyList.Decoder

@Suite("Property-list coders") struct CoderTests {
  @Test("take the place of Foundation's by a typealias") func takeThePlaceOfFoundations() throws {
    struct Card: Codable, Equatable {
      var title = "x", tags = ["a"], made = Date(timeIntervalSinceReferenceDate: 0)
    }
    let encoder = PropertyListEncoder()
    #expect(encoder.outputFormat == .binary)
    #expect(try encoder.encode(Card()).starts(with: Data("bplist00".utf8)))
    encoder.outputFormat = .xml
    encoder.userInfo[CodingUserInfoKey(rawValue: "key")!] = 1
    let data: Data = try encoder.encode(Card())
    var format = PropertyListDecoder.PropertyListFormat.binary
    #expect(try PropertyListDecoder().decode(Card.self, from: data, format: &format) == Card())
    #expect(format == .xml)
    #expect(
      try PropertyListDecoder().decode(Card.self, from: encoder.encodeToBytes(Card())) == Card())
    encoder.outputFormat = .openStep
    #expect(throws: EncodingError.self) { try encoder.encode(Card()) }
  }

  @Test(
    "keep every type of the standard library and Foundation",
    arguments: [PropertyList.Format.xml, .binary])
  func keepEveryTypeOfTheStandardLibrary(format: PropertyList.Format) throws {
    enum Suit: String, Codable { case hearts }
    struct All: Codable, Equatable {
      var bool = true, int = Int.min, int8 = Int8.min, uint64 = UInt64.max, float: Float = 0.1
      var double = Double.pi, string = "é\u{0}<&>", date = Date(timeIntervalSinceReferenceDate: 7)
      var data = Data([0, 255]), url = URL(string: "https://a.b/c?d#e")!, uuid = UUID()
      var decimal = Decimal(string: "3.14159265358979323846")!, suit = Suit.hearts
      var optional: Int?, list = [Int?.none, 1], map = [3: ["x"], 4: []], set: Set = [1, 2]
      var wide = Int128(1) << 63, narrow = UInt128(5), tuple = [[[1.5]]], none: [String: Date] = [:]
      var range = 1...3, empty = [Data]()
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    let value = All()
    #expect(try PropertyListDecoder().decode(All.self, from: encoder.encode(value)) == value)
    #expect(try PropertyListDecoder().decode(All.self, from: encoder.encodeToValue(value)) == value)
    let error = try #require(throws: EncodingError.self) {
      try encoder.encode(["a": [Int128.max]])
    }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(Probe.text(context.codingPath) == "a/Index 0")
  }

  @Test("keep a date's fraction in binary and in memory, and in XML if asked to")
  func keepADatesFractionInBinary() throws {
    let dates = [0.25, -1.75, 785_012_345.123_456].map { Date(timeIntervalSinceReferenceDate: $0) }
    let (encoder, decoder) = (PropertyListEncoder(), PropertyListDecoder())
    #expect(try decoder.decode([Date].self, from: encoder.encode(dates)) == dates)
    #expect(try decoder.decode([Date].self, from: encoder.encodeToValue(dates)) == dates)
    encoder.outputFormat = .xml
    #expect(
      try decoder.decode([Date].self, from: encoder.encode(dates))
        == dates.map {
          Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate.rounded(.down))
        })
    encoder.keepsFractionsOfSeconds = true
    #expect(try decoder.decode([Date].self, from: encoder.encode(dates)) == dates)
  }

  @Test("write the same bytes as a value does", arguments: [PropertyList.Format.xml, .binary])
  func writeTheSameBytesAsAValue(format: PropertyList.Format) throws {
    var random = RandomValues(seed: 21)
    random.isPortable = true
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    for _ in 0..<2_000 {
      let node = Node.array([random.node()])
      let value = try encoder.encodeToValue(node)
      // A number of single precision is a type of its own in binary, and no case of a value.
      let bytes = try encoder.encodeToBytes(node)
      let copy = try PropertyList.Value(parsing: bytes)
      #expect(
        copy == (try PropertyList.Value(parsing: value.serializedXML()))
          || "\(value)".contains("nan"))
      if format == .xml { #expect(bytes == value.serializedXML()) }
    }
  }

  @Test("forget a value that could not be encoded") func forgetAValueThatCould() throws {
    struct Fails: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(1)
        throw CocoaError(.fileNoSuchFile)
      }
    }
    struct Tries: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try? container.encode(Fails(), forKey: AnyKey("fails"))
        try container.encode(2, forKey: AnyKey("works"))
      }
    }
    #expect(try PropertyListEncoder().encodeToValue(Tries()) == ["works": 2])
  }

  @Test("leave what is kept of them usable", arguments: [PropertyList.Format.xml, .binary])
  func leaveWhatIsKeptOfThemUsable(format: PropertyList.Format) throws {
    struct Keeper: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    var data: Data? = try encoder.encode(["key": ["some text that is not short", "ä"]])
    let kept = try PropertyListDecoder().decode(Keeper.self, from: data!).decoder
    data = nil
    let container = try kept.container(keyedBy: AnyKey.self)
    var list = try container.nestedUnkeyedContainer(forKey: AnyKey("key"))
    #expect(try list.decode(String.self) == "some text that is not short")
    #expect(try list.decode(String.self) == "ä")

    final class Box: @unchecked Sendable { var container: (any UnkeyedEncodingContainer)? }
    struct Leaves: Encodable {
      let box: Box
      func encode(to encoder: any Encoder) throws { box.container = encoder.unkeyedContainer() }
    }
    let box = Box()
    _ = try encoder.encode(["CF$UID": Leaves(box: box)])
    for _ in 0..<1_000 {
      #expect(throws: EncodingError.self) { try box.container?.encode("late") }
    }
  }

  @Test("name the place of what cannot be decoded") func nameThePlaceOfWhatCannot() throws {
    let text = """
      <plist version="1.0">
      <dict>
      \t<key>cards</key>
      \t<array>
      \t\t<dict><key>rating</key><string>ä</string></dict>
      \t</array>
      </dict></plist>
      """
    struct Card: Decodable { var rating: Int }
    func context(_ bytes: [UInt8]) -> DecodingError.Context? {
      let error = #expect(throws: DecodingError.self) {
        try PropertyListDecoder().decode([String: [Card]].self, from: bytes)
      }
      switch error {
      case .typeMismatch(_, let context)?, .dataCorrupted(let context)?: return context
      default: return nil
      }
    }
    var found = try #require(context(Array(text.utf8)))
    #expect(Probe.text(found.codingPath) == "cards/Index 0/rating")
    #expect(found.debugDescription.contains("found a string instead. (line 5, column 34)\n"))
    let location = try #require(DecodingError.dataCorrupted(found).location)
    #expect(location.line == 5 && location.column == 34)
    #expect(location.excerpt.contains("<string>") && location.excerpt.hasSuffix(" ^"))
    found = try #require(context(PropertyList.Value(parsing: Array(text.utf8)).serializedBinary()))
    #expect(
      found.debugDescription.contains("(after byte ") || found.debugDescription.contains("(byte "))
    #expect(DecodingError.dataCorrupted(found).location?.excerpt == "")
    found = try #require(context(Array(text.utf8.dropLast(20))))
    #expect(found.underlyingError is PropertyList.ParseError)
    #expect(found.debugDescription.contains("line 6, column 6"))
    #expect(DecodingError.dataCorrupted(found).location?.line == 6)
  }

  @Test("name the places of many faults without looking for each from the start")
  func nameThePlacesOfManyFaultsWithout() throws {
    struct Lossy: Decodable {
      var count = 0
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          do { _ = try container.decode(Int.self) } catch DecodingError.typeMismatch(_, let context)
          {
            #expect(context.codingPath.first?.intValue == container.currentIndex)
            #expect(context.debugDescription.contains("line \(container.currentIndex + 2),"))
            count += 1
            _ = try container.decode(String.self)
          }
        }
      }
    }
    let text = "<array>\n" + String(repeating: "<string>x</string>\n", count: 20_000) + "</array>"
    #expect(try PropertyListDecoder().decode(Lossy.self, from: Array(text.utf8)).count == 20_000)
  }

  @Test("find a key in any order, number and spelling of keys")
  func findAKeyWhateverTheOrder() throws {
    var random = RandomValues(seed: 31)
    for count in [1, 2, 12, 13, 40, 300] {
      let keys = (0..<count).map {
        "\($0 % (count - count / 4))" + (random.next() & 1 == 0 ? "é" : "")
      }
      var last: [String: Int] = [:]
      var text = "<dict>"
      for (index, key) in keys.enumerated() {
        last[key] = index
        text += "<key>\(key)</key><integer>\(index)</integer>"
      }
      #expect(
        try PropertyListDecoder().decode([String: Int].self, from: Array((text + "</dict>").utf8))
          == last)
      struct Shuffled: Decodable {
        var found: [String: Int] = [:]
        init(from decoder: any Decoder) throws {
          let container = try decoder.container(keyedBy: AnyKey.self)
          #expect(Set(container.allKeys).count == container.allKeys.count)
          for key in container.allKeys.shuffled() {
            // In another spelling it is the same key.
            let other = AnyKey(key.stringValue.decomposedStringWithCanonicalMapping)
            found[key.stringValue] = try container.decode(Int.self, forKey: other)
          }
        }
      }
      #expect(
        try PropertyListDecoder().decode(Shuffled.self, from: Array((text + "</dict>").utf8)).found
          == last)
    }
  }
}
