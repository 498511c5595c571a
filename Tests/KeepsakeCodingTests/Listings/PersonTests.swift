import Foundation
import KeepsakeCoding
import KeepsakeDateFormatter
import Testing

extension Listings {
  @Suite("A person, and the protocol behind every key")
  struct PersonTests {
    struct Person: Codable, Equatable {
      let name: String
      let twitter: String
      let github: URL
      let birthday: Date
    }

    /// The chapter gives a birthday in words, and no strategy for it.
    private let birthdays: DateFormatter = {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: "UTC")
      formatter.dateFormat = "MMMM d'th', yyyy"
      return formatter
    }()

    @Test("A person is decoded and encoded with no code but the conformance")
    func aPersonIsDecodedAndEncoded() throws {
      let jsonData = try API.getData(for: .person)
      let decoder = JSONDecoder()
      #expect(throws: DecodingError.self) { try decoder.decode(Person.self, from: jsonData) }
      decoder.dateDecodingStrategy = .formatted(birthdays)
      let person = try decoder.decode(Person.self, from: jsonData)
      try #require(person.name == "Shai Mishali")
      try #require(person.twitter == "@freak4pc")
      try #require(person.github.absoluteString == "https://github.com/freak4pc")
      try #require(person.birthday == Date(timeIntervalSince1970: 560_304_000))

      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .formatted(birthdays)
      let encoded = try encoder.encode(person)
      try #require(decoder.decode(Person.self, from: encoded) == person)
      Listing.ran(1, 2, 3)
    }

    @Test("A key has a string, and an integer where it stands for a place") func aKeyHasAString()
      throws
    {
      let name: any CodingKey = try #require(AnyCodingKey(stringValue: "name"))
      try #require(name.stringValue == "name" && name.intValue == nil)
      let place: any CodingKey = try #require(AnyCodingKey(intValue: 3))
      try #require(place.stringValue == "3" && place.intValue == 3)
      do {
        _ = try JSONDecoder().decode([String: [Int]].self, from: Data(#"{"a":[1,2,"3"]}"#.utf8))
        Issue.record("a string was taken for a number")
      } catch DecodingError.typeMismatch(_, let context) {
        try #require(context.codingPath.map(\.stringValue) == ["a", "Index 2"])
        try #require(context.codingPath.map(\.intValue) == [nil, 2])
      }
      Listing.ran(12)
    }
  }
}
