#if Macros
import Foundation
import KeepsakeMacros
import Testing

@Storable enum Suit: String, Equatable, CaseIterable {
  case clubs
  @Key(aliases: "diamond", "♦") case diamonds = "d"
}

@Storable enum Level: Int { case low = 1, high }
@Storable enum Turn: Equatable { case by(angle: Int = 1 > 2 ? 3 : 4) }

@Storable enum Theme: Equatable {
  case light
  @Key("night", aliases: "dark") case dark
  @Unknown case other(JSON.Value)
}

struct Circle: Codable, Equatable { var radius: Double }
@Storable struct Square: Equatable { var side: Double }

@Storable enum Plain: Equatable {
  case move(x: Int, y: Int?)
  case circle(Circle)
  case square(Square)
  case stop
  case pair(Int, String)
}
enum PlainSynthesized: Codable, Equatable {
  case move(x: Int, y: Int?)
  case circle(Circle)
  case square(Square)
  case stop
  case pair(Int, String)
}

@Storable(tag: "type") enum Tagged: Equatable {
  case move(x: Int, y: Int?)
  @Key("round", aliases: "circle") case circle(Circle)
  case square(Square)
  case stop
  @Unknown case other(JSON.Value)
}

@Storable(tag: "t", content: "c") enum Adjacent: Equatable {
  case move(x: Int, y: Int?)
  case circle(Circle)
  case number(Int)
  case stop
}

@Suite("Stored enumerations") struct EnumerationTests {
  func check<T: Codable & JSON.Readable & JSON.Writable & Equatable>(
    _ value: T, _ text: String, isReadDirectly: Bool = true
  ) throws {
    try #expect(directText(value) == text)
    if isReadDirectly {
      try #expect(directValue(T.self, text) == value)
    } else {
      #expect(throws: JSON.ParseError.self) { try directValue(T.self, text) }
    }
    #expect(String(decoding: try JSON.Encoder().encodeToBytes(value), as: UTF8.self) == text)
    let slow = JSON.Encoder()
    slow.userInfo[CodingUserInfoKey(rawValue: "x")!] = 1
    #expect(String(decoding: try slow.encodeToBytes(value), as: UTF8.self) == text)
    try checkReading(value, text)
  }

  func checkReading<T: Codable & Equatable>(_ value: T, _ text: String) throws {
    #expect(try JSON.Decoder().decode(T.self, from: Array(text.utf8)) == value)
    let slow = JSON.Decoder()
    slow.userInfo[CodingUserInfoKey(rawValue: "x")!] = 1
    #expect(try slow.decode(T.self, from: Array(text.utf8)) == value)
    #expect(try JSONDecoder().decode(T.self, from: Data(text.utf8)) == value)
  }

  @Test("Raw values") func rawValues() throws {
    try check(Suit.clubs, #""clubs""#)
    try check(Suit.diamonds, #""d""#)
    try checkReading(Suit.diamonds, #""♦""#)
    try check(Level.high, "2")
    #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(Suit.self, from: Array(#""x""#.utf8))
    }
  }

  @Test("Names, and a case that keeps what is unknown") func names() throws {
    try check(Theme.light, #""light""#)
    try check(Theme.dark, #""night""#)
    try checkReading(Theme.dark, #""dark""#)
    try check(Theme.other("blue"), #""blue""#, isReadDirectly: false)
    try check(Theme.other(["a": 1.50]), #"{"a":1.5}"#, isReadDirectly: false)
  }

  @Test("What is unknown is written with the digits that it has, on both ways") func digits() throws
  {
    let slow = JSON.Encoder()
    slow.userInfo[CodingUserInfoKey(rawValue: "x")!] = 1
    for text in ["1e308", "[1.50,12345678901234567890123]", #"{"a":-0.0}"#] {
      let theme = try JSON.Decoder().decode(Theme.self, from: Array(text.utf8))
      #expect(String(decoding: try JSON.Encoder().encodeToBytes(theme), as: UTF8.self) == text)
      #expect(String(decoding: try slow.encodeToBytes(theme), as: UTF8.self) == text)
    }
  }

  @Test("A missing value of a case is its default, also one with operators") func defaults()
    throws
  {
    try checkReading(Turn.by(angle: 4), #"{"by":{}}"#)
    try check(Turn.by(angle: 1), #"{"by":{"angle":1}}"#)
  }

  @Test("Cases as keys, as the compiler generates it") func external() throws {
    let pairs: [(Plain, PlainSynthesized)] = [
      (.move(x: 1, y: 2), .move(x: 1, y: 2)), (.move(x: 1, y: nil), .move(x: 1, y: nil)),
      (.circle(Circle(radius: 1.5)), .circle(Circle(radius: 1.5))),
      (.square(Square(side: 2)), .square(Square(side: 2))), (.stop, .stop),
      (.pair(1, "a"), .pair(1, "a")),
    ]
    for (ours, synthesized) in pairs {
      let text = String(decoding: try JSON.Encoder().encodeToBytes(synthesized), as: UTF8.self)
      try check(ours, text)
    }
    for text in [
      "{}", #"{"move":{}}"#, #"{"stop":{},"move":{}}"#, #"{"stop":1}"#, #"{"none":{}}"#, "1",
      #"{"pair":{"_0":"x"}}"#,
    ] {
      #expect(
        message(Plain.self, text)
          == message(PlainSynthesized.self, text).replacing(
            "PlainSynthesized", with: "Plain"))
    }
  }

  func message<T: Decodable>(_ type: T.Type, _ text: String) -> String {
    do {
      return "\(try JSON.Decoder().decode(T.self, from: Array(text.utf8)))"
    } catch {
      // The generated keys are one type here and several there.
      return "\(error)".replacing(/[A-Za-z]*CodingKeys/, with: "Keys")
    }
  }

  @Test("A tag beside the values") func tagged() throws {
    try check(Tagged.move(x: 1, y: 2), #"{"type":"move","x":1,"y":2}"#)
    try check(Tagged.move(x: 1, y: nil), #"{"type":"move","x":1}"#)
    try check(Tagged.circle(Circle(radius: 1.5)), #"{"type":"round","radius":1.5}"#)
    try check(Tagged.square(Square(side: 2)), #"{"type":"square","side":2}"#)
    try check(Tagged.stop, #"{"type":"stop"}"#)
    try check(
      Tagged.other(["type": "new", "a": 1]), #"{"type":"new","a":1}"#, isReadDirectly: false)
    try checkReading(Tagged.other([1]), #"[1]"#)
    try checkReading(Tagged.move(x: 1, y: 2), #"{"z": 1, "y":2,"x":1, "type":"move"}"#)
    try checkReading(Tagged.circle(Circle(radius: 1)), #"{"radius":1, "type":"circle"}"#)
  }

  @Test("A tag and an object with the values") func adjacent() throws {
    try check(Adjacent.move(x: 1, y: 2), #"{"t":"move","c":{"x":1,"y":2}}"#)
    try check(Adjacent.circle(Circle(radius: 1.5)), #"{"t":"circle","c":{"radius":1.5}}"#)
    try check(Adjacent.number(3), #"{"t":"number","c":3}"#)
    try check(Adjacent.stop, #"{"t":"stop"}"#)
    try checkReading(Adjacent.move(x: 1, y: 2), #"{"c":{"y":2,"x":1},"t":"move"}"#)
    #expect(message(Adjacent.self, #"{"t":"go"}"#).contains(#"Adjacent has no case "go""#))
  }
}
#endif
