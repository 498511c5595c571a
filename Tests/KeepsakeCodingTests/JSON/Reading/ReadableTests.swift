import Foundation
import KeepsakeBase
import KeepsakeCoding
import Testing

/// Values that generated code reads straight from the bytes.
@Suite("A readable value") struct ReadableTests {
  /// What a macro would write for it; the fields are those of the synthesized `Codable`.
  struct Person: Codable, Equatable, JSON.Readable, JSON.Writable {
    var name: String
    var age: Int
    var nickname: String?
    var scores: [Double]
    var friends: [Person]
    var rooms: [String: [Int8]]
    var isHere: Bool

    private static let fields = JSON.Fields(
      "name", "age", "nickname", "scores", "friends", "rooms", "isHere")

    init(from reader: inout JSON.Reader) throws(JSON.Fault) {
      var name: String?
      var age: Int?
      var nickname: String?
      var scores: [Double]?
      var friends: [Person]?
      var rooms: [String: [Int8]]?
      var isHere: Bool?
      var object = try reader.beginObject(Self.fields)
      while let field = try reader.nextField(of: &object) {
        switch field {
        case 0: name = try String(from: &reader)
        case 1: age = try Int(from: &reader)
        case 2: nickname = try String?(from: &reader)
        case 3: scores = try [Double](from: &reader)
        case 4: friends = try [Person](from: &reader)
        case 5: rooms = try [String: [Int8]](from: &reader)
        case 6: isHere = try Bool(from: &reader)
        default: try reader.skipValue()
        }
      }
      guard let name, let age, let scores, let friends, let rooms, let isHere else {
        throw object.missingField
      }
      self.init(
        name: name, age: age, nickname: nickname, scores: scores, friends: friends, rooms: rooms,
        isHere: isHere)
    }

    func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
      try writer.beginObject()
      writer.key(prejoined: #""name":"#)
      try name.write(to: &writer)
      writer.key(prejoined: #""age":"#)
      try age.write(to: &writer)
      if let nickname {
        writer.key(prejoined: #""nickname":"#)
        try nickname.write(to: &writer)
      }
      writer.key(prejoined: #""scores":"#)
      try scores.write(to: &writer)
      writer.key(prejoined: #""friends":"#)
      try friends.write(to: &writer)
      writer.key(prejoined: #""rooms":"#)
      try rooms.write(to: &writer)
      writer.key(prejoined: #""isHere":"#)
      try isHere.write(to: &writer)
      writer.endObject()
    }

    init(
      name: String, age: Int, nickname: String?, scores: [Double], friends: [Person],
      rooms: [String: [Int8]], isHere: Bool
    ) {
      (self.name, self.age, self.nickname, self.scores) = (name, age, nickname, scores)
      (self.friends, self.rooms, self.isHere) = (friends, rooms, isHere)
    }

    init(random: inout SeededRandom, depth: Int = 0) {
      self.init(
        name: String(repeating: "ü\"n\\", count: Int.random(in: 0..<9, using: &random)),
        age: .random(in: .min ... .max, using: &random),
        nickname: Bool.random(using: &random) ? nil : "a nickname that is long",
        scores: (0..<Int.random(in: 0..<20, using: &random)).map { _ in
          Double(bitPattern: UInt64.random(in: 0..<0x7FF0 << 48, using: &random))
        }, friends: [],
        rooms: ["a": [1, -128], "b": []].filter { _ in Bool.random(using: &random) },
        isHere: .random(using: &random))
      guard depth < 3 else { return }
      friends = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
        Person(random: &random, depth: depth + 1)
      }
    }
  }

  private func read<Value: JSON.Readable>(
    _ text: String, as type: Value.Type = Value.self, _ syntax: JSON.Syntax = []
  ) throws(JSON.ParseError) -> Value {
    try JSON.read(Array(text.utf8), syntax: syntax) { (reader) throws(JSON.Fault) in
      try Value(from: &reader)
    }
  }

  @Test("has the value and the text that Codable has, in every layout") func codable() throws {
    var random = SeededRandom(seed: 19)
    let encoder = JSON.Encoder()
    for round in 0..<300 {
      let person = Person(random: &random)
      var writer = JSON.Writer(escapesSlashes: true)
      try person.write(to: &writer)
      encoder.outputFormatting = []
      let text = try encoder.encodeToBytes(person)
      // Of a dictionary with two entries the order is not the same.
      if person.rooms.count < 2, person.friends.isEmpty { #expect(writer.finish() == text) }
      for layout: JSON.Encoder.OutputFormatting in [[], .prettyPrinted, .sortedKeys] {
        encoder.outputFormatting = layout
        let text = String(decoding: try encoder.encodeToBytes(person), as: UTF8.self)
        #expect(try read(text) == person, "round \(round)")
      }
    }
  }

  private let text =
    #"{"name":"A","age":1,"scores":[],"friends":[],"rooms":{},"isHere":true}"#

  @Test("reads its fields in any order, with others between them and escapes in their names")
  func order() throws {
    let person = try read(text, as: Person.self)
    #expect(
      try read(
        #"{"isHere" : true, "x":{"name":1}, "r\u006foms":{},"friends":[], "agenda": null,"#
          + #""scores" :[],"nickname":null,"age":1,"nam":2,"name":"A", "names":"" }"#) == person)
  }

  @Test("refuses what has a field twice or lacks one, and what is no JSON at any byte")
  func faults() throws {
    func reason(_ text: String) -> JSON.Fault.Reason? {
      do throws(JSON.ParseError) {
        _ = try read(text, as: Person.self)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason(text) == nil)
    #expect(reason(text.replacing("\"age\":1", with: "\"age\":1,\"age\":2")) == .duplicateKey)
    #expect(reason(text.replacing("\"age\":1", with: "\"age\":1,\"name\":\"B\"")) == .duplicateKey)
    #expect(reason(text.replacing("\"age\":1,", with: "")) == .missingKey)
    #expect(reason(text.replacing("\"age\":1", with: "\"age\":null")) == .expectedNumber)
    #expect(reason(text.replacing("\"age\":", with: "\"age\" ")) == .expectedColon)
    #expect(reason(text.replacing(",\"age\"", with: " \"age\"")) == .expectedCommaOrBrace)
    #expect(reason(text.replacing("{\"name\"", with: "{,\"name\"")) == .expectedKey)
    #expect(reason(text.replacing("true}", with: "true,}")) == .expectedKey)
    #expect(reason("[]") == .expectedObject)
    for length in 0..<text.utf8.count {
      #expect(reason(String(text.prefix(length))) != nil, "\(length) bytes")
    }
  }

  /// Has names that JSON writes with escapes, and ones that begin another.
  struct OddNames: Equatable, JSON.Readable {
    var values: [Int?]
    static let fields = JSON.Fields("a\"b", "\\", "", "a", "ab", "abcdefg", "abcdefgh", "ü", "\n")

    init(from reader: inout JSON.Reader) throws(JSON.Fault) {
      values = Array(repeating: nil, count: 9)
      var object = try reader.beginObject(Self.fields)
      while let field = try reader.nextField(of: &object) {
        if field >= 0 { values[field] = try Int(from: &reader) } else { try reader.skipValue() }
      }
    }
  }

  @Test("finds names with quotation marks, empty ones and ones that begin another") func names()
    throws
  {
    let text =
      #"{"a\"b":0,"\\":1,"":2,"a":3,"ab":4,"abcdefg":5,"abcdefgh":6,"\u00fc":7,"\n":8,"abcdefghi":9}"#
    #expect(try read(text, as: OddNames.self).values == Array(0...8))
    #expect(
      try read(text.replacing("\\u00fc", with: "ü"), as: OddNames.self).values == Array(0...8))
    #expect(throws: JSON.ParseError.self) { try read(#"{"a"b":0}"#, as: OddNames.self) }
    let many = JSON.Fields.maximumCount
    #expect(many == 64)
  }

  @Test("reads what JSON5 allows") func json5() throws {
    let text =
      "{name: 'A', 'age': +0x1, /* none */ scores: [.5, 1.], friends: [], rooms: {}, isHere: true,}"
    let person = try read(text, as: Person.self, .json5)
    #expect(person.scores == [0.5, 1])
  }

  /// Counts how many of its instances live.
  final class Counted: JSON.Readable, Sendable {
    static let living = Mutex(0)
    let number: Int

    init(from reader: inout JSON.Reader) throws(JSON.Fault) {
      number = try Int(from: &reader)
      Self.living.withLock { $0 += 1 }
      if number < 0 { throw JSON.Fault(.numberOutOfRange, at: reader.offset) }
    }

    deinit { Self.living.withLock { $0 -= 1 } }
  }

  @Test("in an array of any length is kept once, and released if a later one is at fault")
  func arrays() throws {
    for count in 0...40 {
      let numbers = (0..<count).map(String.init)
      var array: [Counted]? = try read("[" + numbers.joined(separator: ",") + "]")
      #expect(array?.count == count)
      #expect(Counted.living.withLock { $0 } == count)
      array = nil
      #expect(Counted.living.withLock { $0 } == 0)
      for fault in ["-1]", "x", "", "[1]]"] {
        let text = "[" + (numbers + [fault]).joined(separator: ",")
        #expect(throws: JSON.ParseError.self) { try read(text, as: [Counted].self) }
        #expect(Counted.living.withLock { $0 } == 0)
      }
      let integers = try read("[" + numbers.joined(separator: ", ") + "]", as: [Int].self)
      #expect(integers == Array(0..<count))
    }
  }

  @Test("is a double as Swift reads it, however it is written") func doubles() throws {
    var random = SeededRandom(seed: 7)
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
    }
    for _ in 0..<50_000 {
      let whole =
        Bool.random(using: &random)
        ? "0" : "\(Int.random(in: 1...9, using: &random))" + digits(0...8)
      let exponent =
        Int.random(in: 0...9, using: &random) == 0
        ? "e\(Int.random(in: -30...30, using: &random))" : ""
      let text = (Bool.random(using: &random) ? "-" : "") + "\(whole).\(digits(1...22))\(exponent)"
      #expect(try read(text, as: Double.self).bitPattern == Double(text)?.bitPattern, "\(text)")
    }
    for text in ["1.", ".5", "-.5", "01.5", "-", "1.5.", "1.5e", "--1.5", "1.e5", "+1.5"] {
      #expect(throws: JSON.ParseError.self) { try read(text, as: Double.self) }
    }
    #expect(try read("-0.0", as: Double.self).sign == .minus)
  }
}
