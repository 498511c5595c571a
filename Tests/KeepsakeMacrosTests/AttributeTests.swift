#if Macros
import Foundation
import KeepsakeMacros
import Synchronization
import Testing

enum Units: String, Codable { case metric, imperial }

@Storable(keys: .snakeCase)
struct Contact: Equatable {
  var fullName: String
  @Key(path: "contactInfo.email", aliases: "email", "contact.mail") var email: String
  @Key(path: "contactInfo.phone.home") var phone: String?
  var units = Units.metric
  @Key("1. open") @Coded(.text(of: Double.self)) var open: Double = 0
  @Coded(.iso8601) var born: Date?
  @Coded(.format(Date.ISO8601FormatStyle().year().month().day())) var day: Date = .distantPast
  @IfUnreadable(.dropElements) var scores: [Int] = []
  @IfUnreadable(.useDefault) var rating = 3
  @Default(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))) let id: UUID
  @NotStored var cache: [String: Int] = [:]
  var nickname: String? = "none"
}

@Storable
struct Reminder: Equatable {
  @Coded(.secondsSince1970) var date: Date? = Date(timeIntervalSince1970: 5)
  private var secret = 1
}

@Storable(version: 3)
struct Drill: Equatable {
  @Key(aliases: "title") var name: String
  @Migrated(from: "fullName", { (old: String) in old.split(separator: " ").first.map(String.init) })
  var first: String
  @Migrated(from: "fullName", { (old: String) in old.split(separator: " ").last.map(String.init) })
  var last: String = "?"
  @Migrated(before: 3, { (old: Double) in Int((old * 100).rounded()) })
  var cents: Int
  @Migrated({ (old: String) in Int(old) })
  var count: Int
  @Migrated(from: "old.place", { (old: String) in old })
  var place: String?
}

@Storable
struct Texts: Equatable {
  @Default(
    """
    a {
      b
    }
    """) let text: String
  @Migrated(
    from: "old",
    { (old: Int) -> String? in
      switch old {
      case 0: return nil
      default: return "{\(old)}"
      }
    }) var other: String?
}

@Storable
struct Named: Equatable {
  @Default(Bool("true") == true ? 0 : 5) var number = 7
  @Default(Units.imperial) @IfUnreadable(.useDefault) var units = Units.metric
}

@Storable
struct Open: Equatable {
  var name: String
  @Key(path: "inner.size") var size: Int?
  @Unknown var others: [String: JSON.Value] = [:]
}

@Storable
struct Base: Equatable {
  var a = 1
  var b: String
}

@Storable
struct Derived: Equatable {
  var own: Bool
  @Flattened var base: Base
}

@Storable
struct Counted: Equatable {
  var values: [Int]
  @NotStored var sum = 0

  mutating func didDecode() throws {
    sum = values.reduce(0, +)
    if sum < 0 { throw CocoaError(.coderInvalidValue) }
  }
}

@Suite("Attributes of stored properties") struct AttributeTests {
  func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    let ours = try JSON.Decoder().decode(type, from: Array(text.utf8))
    return ours
  }

  func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSON.Encoder().encodeToBytes(value), as: UTF8.self)
  }

  @Test("Keys, paths, defaults and forms") func contact() throws {
    let contact = try decode(
      Contact.self,
      #"""
      {"full_name": "A B", "contactInfo": {"email": "a@b", "phone": {"home": "1"}},
       "units": "imperial", "1. open": "101.9000", "born": "2001-01-01T00:00:01.5Z",
       "day": "2001-01-02", "scores": [1, "x", 3, {}], "rating": "bad", "nickname": null}
      """#)
    #expect(contact.fullName == "A B")
    #expect(contact.email == "a@b")
    #expect(contact.phone == "1")
    #expect(contact.units == .imperial)
    #expect(contact.open == 101.9)
    #expect(contact.born == Date(timeIntervalSinceReferenceDate: 1.5))
    #expect(contact.day == Date(timeIntervalSinceReferenceDate: 86_400))
    #expect(contact.scores == [1, 3])
    #expect(contact.rating == 3)
    #expect(contact.id.uuidString.hasSuffix("0001"))
    #expect(contact.nickname == nil)
    let written = try text(contact)
    #expect(
      written == #"{"full_name":"A B","contactInfo":{"email":"a@b","phone":{"home":"1"}},"#
        + #""units":"imperial","1. open":"101.9","born":"2001-01-01T00:00:01.5Z","#
        + #""day":"2001-01-02","scores":[1,3],"rating":3,"#
        + #""id":"00000000-0000-0000-0000-000000000001","nickname":null}"#)
    #expect(try decode(Contact.self, written) == contact)
    #expect(try directText(contact) == written)
    #expect(try directValue(Contact.self, written) == contact)
    #expect(try JSONDecoder().decode(Contact.self, from: Data(written.utf8)) == contact)
  }

  @Test("An optional form with a default is null where it is nil") func codedOptional() throws {
    var reminder = try decode(Reminder.self, "{}")
    #expect(reminder.date == Date(timeIntervalSince1970: 5))
    reminder.date = nil
    #expect(try text(reminder) == #"{"date":null,"secret":1}"#)
    #expect(try directText(reminder) == #"{"date":null,"secret":1}"#)
    #expect(try decode(Reminder.self, text(reminder)) == reminder)
    #expect(try directValue(Reminder.self, text(reminder)) == reminder)
  }

  @Test("A missing value is another one than that of a new instance") func missing() throws {
    #expect(try text(Named()) == #"{"number":7,"units":"metric"}"#)
    for text in ["{}", #"{"units":1}"#] {
      #expect(try decode(Named.self, text) == Named(number: 0, units: .imperial))
    }
    #expect(try directValue(Named.self, "{}") == Named(number: 0, units: .imperial))
    #expect(try decode(Named.self, #"{"units":"metric"}"#) == Named(number: 0, units: .metric))
  }

  @Test("Aliases are read where the key is missing") func aliases() throws {
    #expect(try decode(Contact.self, #"{"full_name":"","email":"x"}"#).email == "x")
    #expect(try decode(Contact.self, #"{"full_name":"","contact":{"mail":"y"}}"#).email == "y")
    let both = #"{"full_name":"","email":"x","contactInfo":{"email":"z"}}"#
    #expect(try decode(Contact.self, both).email == "z")
    #expect(throws: DecodingError.self) { try decode(Contact.self, #"{"full_name":""}"#) }
    let minimal = try decode(Contact.self, #"{"full_name":"","email":"x"}"#)
    #expect(minimal.nickname == "none")
    #expect(minimal.units == .metric)
  }

  @Test("Unreadable values are reported to a handler") func reports() throws {
    let reports = Mutex<[String]>([])
    let decoder = JSON.Decoder()
    let handler: @Sendable (any Error) -> Void = { error in
      let path = (error as? DecodingError)?.path ?? "?"
      reports.withLock { $0.append(path) }
    }
    decoder.userInfo[.unreadableValueHandler] = handler
    let text = #"{"full_name":"","email":"x","scores":[1,"x"],"rating":[]}"#
    _ = try decoder.decode(Contact.self, from: Array(text.utf8))
    #expect(reports.withLock { $0 } == ["scores.Index 1", "rating"])
  }

  @Test("Earlier versions are read") func versions() throws {
    let current =
      #"{"schemaVersion":3,"name":"n","first":"f","last":"l","cents":250,"count":4,"place":"p"}"#
    let exercise = try decode(Drill.self, current)
    #expect(try text(exercise) == current)
    #expect(try directText(exercise) == current)
    #expect(try directValue(Drill.self, current) == exercise)
    let old = #"{"title":"n","fullName":"f l","cents":2.5,"count":"4","old":{"place":"p"}}"#
    #expect(try decode(Drill.self, old) == exercise)
    #expect(throws: JSON.ParseError.self) { try directValue(Drill.self, old) }
    #expect(try JSONDecoder().decode(Drill.self, from: Data(old.utf8)) == exercise)
    let list = try PropertyList.Encoder().encode(exercise)
    #expect(try PropertyList.Decoder().decode(Drill.self, from: list) == exercise)
    #expect(throws: DecodingError.self) {
      try decode(Drill.self, #"{"title":"n","fullName":"","cents":2.5,"count":"4"}"#)
    }
  }

  @Test("Unknown keys are written back") func unknown() throws {
    let text = #"{"name":"n","inner":{"size":1},"a":[1,{"b":2.50}],"size":3,"z":null}"#
    let open = try decode(Open.self, text)
    #expect(open.others.count == 3)
    #expect(try self.text(open) == text)
  }

  @Test("Texts and functions of several lines are as they are written") func lines() throws {
    let texts = try decode(Texts.self, #"{"old":3}"#)
    #expect(texts == Texts(text: "a {\n  b\n}", other: "{3}"))
  }

  @Test("A flattened property is beside the others") func flattened() throws {
    let derived = try decode(Derived.self, #"{"own":true,"b":"x"}"#)
    #expect(derived == Derived(own: true, base: Base(b: "x")))
    #expect(try text(derived) == #"{"own":true,"a":1,"b":"x"}"#)
  }

  @Test("didDecode() is called, and its error is thrown") func computed() throws {
    #expect(try decode(Counted.self, #"{"values":[1,2]}"#).sum == 3)
    #expect(try directValue(Counted.self, #"{"values":[1,2]}"#).sum == 3)
    #expect(throws: CocoaError.self) { try decode(Counted.self, #"{"values":[-1]}"#) }
  }
}

extension DecodingError {
  var path: String {
    let path =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      case .keyNotFound(let key, let context): context.codingPath + [key]
      @unknown default: [] as [any CodingKey]
      }
    return path.map(\.stringValue).joined(separator: ".")
  }
}
#endif
