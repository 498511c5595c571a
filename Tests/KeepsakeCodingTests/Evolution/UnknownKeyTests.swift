import Foundation
import Testing

@testable import KeepsakeCoding

@Suite("A stored value that a type knows only in part") struct UnknownKeyTests {
  /// Changes a stored value through a type, as a store does.
  private func change<Value: Codable>(
    _ stored: JSON.Value, _ change: (inout Value) -> Void
  ) throws -> JSON.Value {
    let loaded = try JSON.Decoder().decode(Recorded<Value>.self, from: stored.serialized())
    let known = try encoded(loaded.value)
    var value = loaded.value
    change(&value)
    return ThreeWayMerge.keepingUnknown(
      of: stored, known: known, use: loaded.use, ours: try encoded(value))
  }

  private func encoded(_ value: some Encodable) throws -> JSON.Value {
    try JSON.Value(parsing: JSON.Encoder().encodeToBytes(value))
  }

  private struct Person: Codable {
    struct Home: Codable {
      var city: String
      var street: String?
    }
    var name: String
    var nickname: String?
    var home = Home(city: "Rome")
    var scores: [String: Int] = [:]
  }

  @Test("keeps keys that the type never decodes, at any depth") func unknownKeys() throws {
    let stored: JSON.Value = [
      "name": "Ann", "new": ["a": 1], "home": ["city": "Bern", "zip": 3000], "scores": [:],
    ]
    let new = try change(stored) { (person: inout Person) in
      person.name = "Eve"
      person.home.street = "Main"
    }
    #expect(
      new == [
        "name": "Eve", "new": ["a": 1], "home": ["city": "Bern", "zip": 3000, "street": "Main"],
        "scores": [:],
      ])
  }

  @Test("loses optional values and entries of dictionaries that were removed") func removed() throws
  {
    let stored: JSON.Value = [
      "name": "Ann", "nickname": "A", "home": ["city": "Bern"], "scores": ["one": 1, "two": 2],
    ]
    let new = try change(stored) { (person: inout Person) in
      person.nickname = nil
      person.scores["one"] = nil
    }
    #expect(new == ["name": "Ann", "home": ["city": "Bern"], "scores": ["two": 2]])
  }

  private struct Renamed: Codable {
    var title: String
    var count = 0

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      title =
        try container.decodeIfPresent(String.self, forKey: .name)
        ?? container.decode(String.self, forKey: .title)
      count = try container.decode(Int.self, forKey: .count)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(title, forKey: .title)
      try container.encode(count, forKey: .count)
    }

    enum Keys: CodingKey { case name, title, count }
  }

  @Test("loses the old name of a key that the type has renamed, not its value") func renamed()
    throws
  {
    let new = try change(["name": "a", "count": 1, "x": 2]) { (value: inout Renamed) in
      value.count = 5
    }
    #expect(new == ["title": "a", "count": 5, "x": 2])
  }

  private struct Lenient: Codable {
    var shape: Shape?
    var count: Int

    enum Shape: String, Codable { case round }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      shape = try? container.decode(Shape.self, forKey: .shape)
      count = try container.decode(Int.self, forKey: .count)
    }

    enum Keys: CodingKey { case shape, count }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encodeIfPresent(shape, forKey: .shape)
      try container.encode(count, forKey: .count)
    }
  }

  @Test("keeps a value that the type cannot read and ignores") func ignored() throws {
    let new = try change(["shape": "square", "count": 1]) { (value: inout Lenient) in
      value.count = 2
    }
    #expect(new == ["shape": "square", "count": 2])
  }

  private enum Media: Codable {
    case image(name: String)
    case video(name: String, length: Int)
  }

  @Test("keeps unknown keys of an enumeration's payload, unless the case changes") func payload()
    throws
  {
    let stored: JSON.Value = ["image": ["name": "a", "alt": "text"]]
    let same = try change(stored) { (media: inout Media) in media = .image(name: "b") }
    #expect(same == ["image": ["name": "b", "alt": "text"]])
    let other = try change(stored) { (media: inout Media) in media = .video(name: "b", length: 1) }
    #expect(other == ["video": ["name": "b", "length": 1]])
  }

  @Test("keeps unknown keys of an array's elements, with the element") func elements() throws {
    struct Item: Codable {
      var id: Int
      var text: String
    }
    let stored: JSON.Value = [
      ["id": 1, "text": "a", "x": 10], ["id": 2, "text": "b", "x": 20],
      ["id": 3, "text": "c", "x": 30],
    ]
    let new = try change(stored) { (items: inout [Item]) in
      items.remove(at: 0)
      items.swapAt(0, 1)
      items[0].text = "C"
      items.append(Item(id: 4, text: "d"))
    }
    #expect(
      new == [
        ["id": 3, "text": "C", "x": 30], ["id": 2, "text": "b", "x": 20], ["id": 4, "text": "d"],
      ])
  }

  private class Base: Codable {
    var a = 0
  }

  private final class Derived: Base {
    var b = 0

    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      b = try container.decode(Int.self, forKey: .b)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(b, forKey: .b)
      try super.encode(to: container.superEncoder())
    }
    enum Keys: CodingKey { case b }
  }

  @Test("keeps unknown keys of classes, nested containers and values that decoders treat specially")
  func containers() throws {
    let object = try change(["b": 1, "super": ["a": 2, "x": 3], "y": 4]) { (value: inout Derived) in
      value.a = 5
    }
    #expect(object == ["b": 1, "super": ["a": 5, "x": 3], "y": 4])

    struct Special: Codable {
      var url: URL
      var date: Date
      var data: Data
      var decimal: Decimal
      var id: UUID
      var any: JSON.Value
      var list: [JSON.Value]
      var numbers: [Int8?]
      var flags: Set<UInt>
    }
    let stored: JSON.Value = [
      "url": "https://example.com", "date": 1.5, "data": "AAEC", "decimal": 1.25,
      "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "any": ["k": [1, nil]], "list": [1, "a"],
      "numbers": [1, nil], "flags": [7], "x": true,
    ]
    let special = try change(stored) { (value: inout Special) in value.numbers[0] = 2 }
    var expected = stored
    if case .object(var object) = stored {
      object["numbers"] = [2, nil]
      expected = .object(object)
    }
    #expect(special == expected)
  }
}
