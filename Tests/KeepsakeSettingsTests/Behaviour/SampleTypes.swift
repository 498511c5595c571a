import KeepsakeCoding
import KeepsakeSettings

/// Stored as its raw number.
enum Level: Int { case low, middle, high }

/// Stored as its raw text, although it is Codable.
enum Appearance: String, Codable { case light, dark }

/// A raw value without being an enumeration, as an option set is.
struct Days: OptionSet {
  let rawValue: Int
  static let monday = Days(rawValue: 1)
  static let friday = Days(rawValue: 16)
}

/// Stored in its Codable form.
struct Player: Codable, Equatable {
  var name: String
  var scores: [Int]
  var appearance: Appearance?
}

/// An enumeration whose cases have associated values.
enum Shape: Codable, Equatable {
  case circle(radius: Double)
  case polygon(sides: Int, name: String)
  case nothing
}

/// Defines its stored form, although it is Codable and has a raw value.
struct Celsius: SettingsValue, Codable, RawRepresentable, Equatable {
  var rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  init?(propertyList: PropertyList.Value) {
    guard case .string(let text) = propertyList, text.hasSuffix(" °C"),
      let degrees = Int(text.dropLast(3))
    else { return nil }
    self.init(rawValue: degrees)
  }

  var propertyList: PropertyList.Value? { .string("\(rawValue) °C") }
}

/// Defines its stored form, although it is Codable.
struct Meters: SettingsValue, Codable, Equatable {
  var meters: Int

  init(_ meters: Int) { self.meters = meters }

  init?(propertyList: PropertyList.Value) {
    guard case .integer(let number) = propertyList else { return nil }
    self.init(Int(number))
  }

  var propertyList: PropertyList.Value? { .integer(Int64(meters)) }
}

/// Cannot be encoded at all.
struct Unwritable: Codable, Equatable {
  struct Refusal: Error {}

  init() {}
  init(from decoder: any Decoder) throws { throw Refusal() }
  func encode(to encoder: any Encoder) throws { throw Refusal() }
}
