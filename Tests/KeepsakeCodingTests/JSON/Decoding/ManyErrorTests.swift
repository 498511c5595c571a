import Foundation
import KeepsakeCoding
import Testing

/// Errors that a type catches, one for each of very many values: each has its place, and none costs
/// a walk through the whole text. (Were it so, these tests would take minutes.)
@Suite struct ManyErrorTests {
  private static let count = 10_000

  /// Tries one shape after another, as an enumeration of payloads does.
  struct Trying: Decodable {
    enum CodingKeys: String, CodingKey { case first, second, third }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _ = try? container.decode(Int.self, forKey: .second)
      _ = try? container.decode(Int.self, forKey: .third)
      _ = try? container.decode(Int.self, forKey: .first)
    }
  }

  private static let element = #"{"first":"x","second":[1,2,3,"\u00e4"]}"#

  @Test("Elements whose errors go back and forth", .timeLimit(.minutes(10)))
  func elementsWhoseErrorsGoBackAndForth() throws {
    let elements = Array(repeating: Self.element, count: Self.count)
    for separator in [",", ",\n"] {
      let text = "[" + elements.joined(separator: separator) + "]"
      #expect(try JSON.Decoder().decode([Trying].self, from: Array(text.utf8)).count == Self.count)
    }
  }

  /// The keys whose values are no numbers.
  struct Lossy: Decodable {
    var failures = 0

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: NamedKey.self)
      for key in container.allKeys where (try? container.decode(Int.self, forKey: key)) == nil {
        failures += 1
      }
    }
  }

  @Test("An object's values, each of the wrong type", .timeLimit(.minutes(10)))
  func anObjectsValues() throws {
    let text =
      "{" + (0..<Self.count).map { #""k\#($0)":"x""# }.joined(separator: ",") + "}"
    for strategy in [
      JSON.Decoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase, .custom { $0.last! },
    ] {
      let decoder = JSON.Decoder()
      decoder.keyDecodingStrategy = strategy
      #expect(try decoder.decode(Lossy.self, from: Array(text.utf8)).failures == Self.count)
    }
  }

  @Test("Elements below more arrays than a hundred", .timeLimit(.minutes(10)))
  func elementsBelowMoreArraysThanAHundred() throws {
    let elements = Array(repeating: Self.element, count: Self.count).joined(separator: ",")
    let text =
      String(repeating: "[", count: 100) + elements + String(repeating: "]", count: 100)
    struct Nested: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          if (try? container.decode(Trying.self)) == nil { _ = try container.decode(Nested.self) }
        }
      }
    }
    _ = try JSON.Decoder().decode(Nested.self, from: Array(text.utf8))
  }

  @Test("Lines, each with errors of its own", .timeLimit(.minutes(10)))
  func lines() throws {
    let text = Array(repeating: Self.element, count: Self.count).joined(separator: "\n")
    var count = 0
    try JSON.Decoder().decodeEach(Trying.self, from: Data(text.utf8)) { _ in count += 1 }
    #expect(count == Self.count)
  }

  /// Fails in every element, and notes where.
  struct Places: Decodable {
    var offsets: [Int] = []
    var lines: [Int] = []
    var columns: [Int] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let elements = try container.decode([Element].self)
      for place in elements.map(\.place) + elements.reversed().map(\.place) {
        offsets.append(place.offset)
        lines.append(place.line)
        columns.append(place.column)
      }
    }

    struct Element: Decodable {
      var place: TextLocation

      init(from decoder: any Decoder) throws {
        do {
          _ = try decoder.singleValueContainer().decode(Int.self)
          fatalError("It is not a number.")
        } catch let error as DecodingError {
          place = error.location!
        }
      }
    }
  }

  @Test("Each place is right, wherever the one before was") func eachPlaceIsRight() throws {
    let filling = String(repeating: "ä", count: 700)
    let elements = (0..<50).map { "\"\($0 % 5 == 0 ? filling : "x")\"" }
    let text = "[" + elements.joined(separator: ",\n") + "]"
    let places = try JSON.Decoder().decode(Places.self, from: Array(text.utf8))
    #expect(places.lines.prefix(50) == ArraySlice(1...50))
    #expect(places.columns.prefix(50) == [2] + ArraySlice(repeating: 1, count: 49))
    for offset in places.offsets { #expect(Array(text.utf8)[offset] == UInt8(ascii: "\"")) }
  }
}
