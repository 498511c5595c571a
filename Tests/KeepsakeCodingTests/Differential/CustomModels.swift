import Foundation
import KeepsakeBase
import KeepsakeTestSupport

// What people write by hand: containers in containers, single values, superclasses.

/// Flat in memory, nested when encoded.
struct Nested: Sampled {
  var name: String
  var numbers: [Int]
  var first: Double
  var second: Bool?
  var inner: Numbers?

  enum Outer: String, CodingKey { case name, theList = "the_list", deepDown }
  enum Inner: String, CodingKey { case first, second, inner, moreHere, empty, nothing }

  static func sample(_ random: inout SeededRandom) -> Nested {
    Nested(
      name: random.sample(), numbers: random.sample(), first: random.sample(),
      second: random.sample(), inner: random.sample())
  }

  init(name: String, numbers: [Int], first: Double, second: Bool?, inner: Numbers?) {
    (self.name, self.numbers, self.first) = (name, numbers, first)
    (self.second, self.inner) = (second, inner)
  }

  init(from decoder: any Decoder) throws {
    let outer = try decoder.container(keyedBy: Outer.self)
    name = try outer.decode(String.self, forKey: .name)
    var list = try outer.nestedUnkeyedContainer(forKey: .theList)
    numbers = []
    var pairs = try list.nestedUnkeyedContainer()
    while !pairs.isAtEnd { numbers.append(try pairs.decode(Int.self)) }
    let last = try list.nestedContainer(keyedBy: Inner.self)
    second = try last.decodeIfPresent(Bool.self, forKey: .second)
    let deep = try outer.nestedContainer(keyedBy: Inner.self, forKey: .deepDown)
    first = try deep.decode(Double.self, forKey: .first)
    let deeper = try deep.nestedContainer(keyedBy: Inner.self, forKey: .moreHere)
    inner = try deeper.decode(Numbers?.self, forKey: .inner)
    guard try deep.decodeNil(forKey: .nothing), !deep.contains(.inner), list.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: list, debugDescription: "more than there was")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: Outer.self)
    var list = outer.nestedUnkeyedContainer(forKey: .theList)
    var deep = outer.nestedContainer(keyedBy: Inner.self, forKey: .deepDown)
    try outer.encode(name, forKey: .name)
    var pairs = list.nestedUnkeyedContainer()
    var deeper = deep.nestedContainer(keyedBy: Inner.self, forKey: .moreHere)
    try deeper.encode(inner, forKey: .inner)
    try pairs.encode(contentsOf: numbers)
    var last = list.nestedContainer(keyedBy: Inner.self)
    try last.encodeIfPresent(second, forKey: .second)
    try deep.encode(first, forKey: .first)
    try deep.encodeNil(forKey: .nothing)
    _ = deep.nestedContainer(keyedBy: Inner.self, forKey: .empty)
  }
}

/// A list of things of several kinds.
struct Mixed: Sampled {
  var elements: [Element]

  enum Element: Equatable {
    case null, flag(Bool), integer(Int), text(String), object(Keys), list([Element])
  }

  static func sample(_ random: inout SeededRandom) -> Mixed {
    Mixed(elements: random.list(upTo: 5) { element(&$0, depth: 0) })
  }

  private static func element(_ random: inout SeededRandom, depth: Int) -> Element {
    switch random.below(depth > 2 ? 5 : 6) {
    case 0: .null
    case 1: .flag(random.sample())
    case 2: .integer(random.sample())
    case 3: .text(random.sample())
    case 4: .object(random.sample())
    default: .list(random.list(upTo: 3) { element(&$0, depth: depth + 1) })
    }
  }

  init(elements: [Element]) { self.elements = elements }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    elements = try Self.decode(&container)
  }

  private static func decode(_ container: inout any UnkeyedDecodingContainer) throws -> [Element] {
    var elements: [Element] = []
    while !container.isAtEnd {
      if try container.decodeNil() {
        elements.append(.null)
      } else if let flag = try? container.decode(Bool.self) {
        elements.append(.flag(flag))
      } else if let number = try? container.decode(Int.self) {
        elements.append(.integer(number))
      } else if let text = try? container.decode(String.self) {
        elements.append(.text(text))
      } else if var nested = try? container.nestedUnkeyedContainer() {
        elements.append(.list(try decode(&nested)))
      } else {
        elements.append(.object(try container.decode(Keys.self)))
      }
    }
    return elements
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try Self.encode(elements, &container)
  }

  private static func encode(
    _ elements: [Element], _ container: inout any UnkeyedEncodingContainer
  ) throws {
    for element in elements {
      switch element {
      case .null: try container.encodeNil()
      case .flag(let flag): try container.encode(flag)
      case .integer(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .object(let keys): try container.encode(keys)
      case .list(let elements):
        var nested: any UnkeyedEncodingContainer = container.nestedUnkeyedContainer()
        try encode(elements, &nested)
      }
    }
  }
}

/// A value that is nothing but another one.
struct Wrapped<Value: Sampled>: Sampled {
  var value: Value

  init(_ value: Value) { self.value = value }

  static func sample(_ random: inout SeededRandom) -> Wrapped { Wrapped(random.sample()) }

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

struct Wrappers: Sampled {
  var text: Wrapped<String>
  var twice: Wrapped<Wrapped<Int>>
  var list: Wrapped<[Wrapped<Double>]>
  var maybe: Wrapped<String?>
  var date: Wrapped<Date>
  var data: [Wrapped<Data>]
  var keys: Wrapped<Keys>

  static func sample(_ random: inout SeededRandom) -> Wrappers {
    Wrappers(
      text: random.sample(), twice: random.sample(), list: random.sample(), maybe: random.sample(),
      date: random.sample(), data: random.sample(), keys: random.sample())
  }
}

class Animal: Codable {
  let name: String
  let legCount: Int

  private enum CodingKeys: String, CodingKey { case name, legCount }

  init(_ random: inout SeededRandom) {
    name = random.sample()
    legCount = random.sample()
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    legCount = try container.decode(Int.self, forKey: .legCount)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(legCount, forKey: .legCount)
  }
}

/// Hands its superclass the container's own place for it.
final class Dog: Animal {
  let isGood: Bool

  private enum CodingKeys: String, CodingKey { case isGood, asAnimal, way }

  override init(_ random: inout SeededRandom) {
    isGood = random.sample()
    super.init(&random)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    isGood = try container.decode(Bool.self, forKey: .isGood)
    try super.init(
      from: isGood ? container.superDecoder() : container.superDecoder(forKey: .asAnimal))
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(
      to: isGood ? container.superEncoder() : container.superEncoder(forKey: .asAnimal))
    try container.encode(isGood, forKey: .isGood)
  }
}

/// Shares its superclass's container.
final class Bird: Animal {
  let canFly: Bool

  private enum CodingKeys: String, CodingKey { case canFly }

  override init(_ random: inout SeededRandom) {
    canFly = random.sample()
    super.init(&random)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    canFly = try container.decode(Bool.self, forKey: .canFly)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(canFly, forKey: .canFly)
  }
}

struct Zoo: Sampled {
  var dogs: [Dog]
  var bird: Bird

  static func sample(_ random: inout SeededRandom) -> Zoo {
    Zoo(dogs: random.list(upTo: 2) { Dog(&$0) }, bird: Bird(&random))
  }

  static func == (left: Zoo, right: Zoo) -> Bool {
    left.dogs.map(\.name) == right.dogs.map(\.name)
      && left.dogs.map(\.legCount) == right.dogs.map(\.legCount)
      && left.dogs.map(\.isGood) == right.dogs.map(\.isGood)
      && left.bird.name == right.bird.name && left.bird.canFly == right.bird.canFly
  }
}

/// A list whose elements are encoded as a superclass's are, and then by any key.
struct Supers: Sampled {
  var elements: [Numbers]
  var places: [Int]

  static func sample(_ random: inout SeededRandom) -> Supers {
    let elements: [Numbers] = random.sample()
    return Supers(elements: elements, places: Array(elements.indices))
  }

  init(elements: [Numbers], places: [Int]) { (self.elements, self.places) = (elements, places) }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    (elements, places) = ([], [])
    let keys = try container.nestedContainer(keyedBy: AnyCodingKey.self)
    let names = keys.allKeys.map(\.stringValue).sorted()
    while !container.isAtEnd {
      places.append(container.currentIndex - 1)
      elements.append(try Numbers(from: container.superDecoder()))
    }
    guard names == places.map({ "key \($0)" }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(names)")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    var keys = container.nestedContainer(keyedBy: AnyCodingKey.self)
    for place in places {
      try keys.encode(place, forKey: AnyCodingKey(stringValue: "key \(place)")!)
      // Twice: the last one counts.
      try keys.encode(-place, forKey: AnyCodingKey(stringValue: "key \(place)")!)
    }
    for element in elements { try element.encode(to: container.superEncoder()) }
  }
}
