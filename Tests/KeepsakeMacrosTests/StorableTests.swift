#if Macros
import Foundation
public import KeepsakeMacros
import Testing

@Storable struct Person: Equatable {
  var name: String
  @Key("mail", aliases: "email", "e-mail") var address: String?
  var age = 0
}

/// Nested types, one that is named only within another, and one that the macro sees no type of.
enum Outer {
  enum Units: String, Codable { case metric, imperial }

  @Storable struct Inner: Equatable {
    var units = Units.metric
    let first: Units
    var `default`: [Units: Int]
    var `case`: Kind
    var date: Date

    @Storable enum Kind: Equatable {
      case one(Units)
      case two
    }
  }
}

@Storable final class Node: Equatable {
  var value: Int
  var children: [Node] = []
  let name: String?

  init(value: Int, name: String? = nil) {
    self.value = value
    self.name = name
  }

  static func == (a: Node, b: Node) -> Bool {
    a.value == b.value && a.children == b.children && a.name == b.name
  }
}

@Storable struct Box<Content: Equatable, Other: Codable & Equatable>: Equatable {
  var content: Content
  var other: Other?
}

/// A type for other modules.
@Storable public struct Exported {
  /// A property for other modules.
  public var value: Int
  /// A constant with a default.
  @Default(5) public let constant: Int
}

typealias MaybeInt = Int?
@Storable struct Aliased: Equatable {
  var value: MaybeInt
  let other: MaybeInt
}

@Storable struct Empty: Equatable {}
@Storable enum Never {}

@Storable struct Foundations: Equatable {
  var date: Date
  var data: Data
  var url: URL
  var id: UUID
  var decimal: Decimal
  var big: UInt128
  var float: Float
  var set: Set<Int>
  var range: ClosedRange<Int>
  var any: JSON.Value
  var tuple: [String: [Date?]]
}
struct FoundationsSynthesized: Codable {
  var date: Date
  var data: Data
  var url: URL
  var id: UUID
  var decimal: Decimal
  var big: UInt128
  var float: Float
  var set: Set<Int>
  var range: ClosedRange<Int>
  var any: JSON.Value
  var tuple: [String: [Date?]]
}

@Suite("Stored types") struct StorableTests {
  func check<T: Codable & JSON.Readable & JSON.Writable & Equatable>(
    _ value: T, _ text: String
  ) throws {
    #expect(try directText(value) == text)
    #expect(try directValue(T.self, text) == value)
    #expect(String(decoding: try JSON.Encoder().encodeToBytes(value), as: UTF8.self) == text)
    #expect(try JSON.Decoder().decode(T.self, from: Array(text.utf8)) == value)
    #expect(try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value)) == value)
    let list = try PropertyList.Encoder().encode(value)
    #expect(try PropertyList.Decoder().decode(T.self, from: list) == value)
  }

  @Test("A structure keeps its memberwise initializer") func structure() throws {
    try check(Person(name: "a", address: "b"), #"{"name":"a","mail":"b","age":0}"#)
    #expect(
      try directValue(Person.self, #"{"age":1,"email":"b","name":"a","x":[{}]}"#)
        == Person(name: "a", address: "b", age: 1))
    #expect(throws: JSON.ParseError.self) {
      try directValue(Person.self, #"{"name":"a","email":"b","mail":"c"}"#)
    }
  }

  @Test("Nested types are found, and types that are not written") func nested() throws {
    let inner = Outer.Inner(
      first: .imperial, default: [:], case: .one(.metric), date: Date(timeIntervalSince1970: 0))
    try check(
      inner,
      #"{"units":"metric","first":"imperial","default":[],"case":{"one":{"_0":"metric"}},"#
        + #""date":-978307200}"#)
  }

  @Test("Classes, also those of a tree") func classes() throws {
    let node = Node(value: 1)
    node.children = [Node(value: 2, name: "two")]
    try check(node, #"{"value":1,"children":[{"value":2,"children":[],"name":"two"}]}"#)
  }

  @Test("Generic types") func generic() throws {
    try check(Box(content: [1], other: "x"), #"{"content":[1],"other":"x"}"#)
    try check(
      Box<Person, Int>(content: Person(name: "a")), #"{"content":{"name":"a","age":0}}"#)
    try check(Box<Outer.Units, Int>(content: .metric, other: 1), #"{"content":"metric","other":1}"#)
  }

  @Test("An optional that is one by its alias can be missing") func aliased() throws {
    try check(Aliased(value: 2, other: 1), #"{"value":2,"other":1}"#)
    let value = Aliased(value: nil, other: 1)
    #expect(try JSON.Decoder().decode(Aliased.self, from: Array(#"{"other":1}"#.utf8)) == value)
    #expect(try directText(value) == #"{"other":1}"#)
  }

  @Test("Types without properties or cases") func empty() throws {
    try check(Empty(), "{}")
    #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(Never.self, from: Array("{}".utf8))
    }
  }

  @Test("Every strategy for dates gives the text that synthesized code gives", arguments: 0..<6)
  func strategies(number: Int) throws {
    let encoder = JSON.Encoder()
    let decoder = JSON.Decoder()
    let strategies: [(JSON.Encoder.DateEncodingStrategy, JSON.Decoder.DateDecodingStrategy)] = [
      (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
      (.millisecondsSince1970, .millisecondsSince1970), (.iso8601, .iso8601),
      (.iso8601WithFractionalSeconds, .iso8601), (.iso8601Exact, .iso8601Exact),
    ]
    (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = strategies[number]
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let plain = FoundationsSynthesized(
      date: date, data: Data([1, 2, 255, 254]), url: URL(string: "https://a.b/c?d=e")!, id: UUID(),
      decimal: Decimal(string: "12.50")!, big: .max, float: 1.5, set: [1], range: 1...2,
      any: ["a": 1], tuple: ["b": [nil, date]])
    let text = try encoder.encodeToBytes(plain)
    // More often than it takes to find out that the type is read and written directly.
    for _ in 0..<40 {
      let ours = try decoder.decode(Foundations.self, from: text)
      #expect(ours.date == date && ours.id == plain.id && ours.tuple == plain.tuple)
      #expect(ours.data == plain.data && ours.decimal == plain.decimal && ours.big == plain.big)
      #expect(try encoder.encodeToBytes(ours) == text)
    }
    encoder.outputFormatting = [.withoutEscapingSlashes, .prettyPrinted]
    let pretty = try encoder.encodeToBytes(plain)
    #expect(try encoder.encodeToBytes(decoder.decode(Foundations.self, from: text)) == pretty)
    encoder.outputFormatting = .sortedKeys
    let sorted = try encoder.encodeToBytes(plain)
    #expect(try encoder.encodeToBytes(decoder.decode(Foundations.self, from: text)) == sorted)
  }

  @Test("Of repeated keys the one counts that the decoder's policy says") func repeatedKeys() throws
  {
    let text = Array(#"{"name":"a","name":"b"}"#.utf8)
    let decoder = JSON.Decoder()
    // More often than it takes to find out that the type is read directly.
    for _ in 0..<200 {
      decoder.duplicateKeyPolicy = .first
      #expect(try decoder.decode(Person.self, from: text).name == "a")
      decoder.duplicateKeyPolicy = .last
      #expect(try decoder.decode(Person.self, from: text).name == "b")
    }
  }

  @Test("A hundred thousand keys that nobody knows are passed over") func manyKeys() throws {
    let others = (0..<100_000).map { #""key\#($0)":{"a":[null]}"# }.joined(separator: ",")
    let person = try JSON.Decoder().decode(
      Person.self, from: Array(#"{\#(others),"name":"a"}"#.utf8))
    #expect(person == Person(name: "a"))
  }

  @Test("A number that JSON does not have is an error with its path") func notANumber() throws {
    let box = Box<[Double], Int>(content: [1, .nan])
    for _ in 0..<200 {
      let error = #expect(throws: EncodingError.self) { try JSON.Encoder().encode(box) }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(context.codingPath.map(\.stringValue) == ["content", "Index 1"])
    }
  }

  @Test("Values as deep as is allowed, and one level deeper") func depth() throws {
    let levels = JSON.Writer.maximumDepth
    func node(_ depth: Int) -> Node {
      let result = Node(value: 0)
      if depth > 1 { result.children = [node(depth - 1)] }
      return result
    }
    // An object and an array for each node.
    _ = try JSON.Encoder().encode(node(levels / 2))
    #expect(throws: EncodingError.self) { try JSON.Encoder().encode(node(levels / 2 + 1)) }
    #expect(throws: JSON.WriteError.self) { try directText(node(levels / 2 + 1)) }
    func text(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: #"{"value":1,"children":["#, count: depth)
          + String(repeating: "]}", count: depth)).utf8)
    }
    _ = try JSON.Decoder().decode(Node.self, from: text(256))
    #expect(throws: DecodingError.self) { try JSON.Decoder().decode(Node.self, from: text(257)) }
  }
}
#endif
