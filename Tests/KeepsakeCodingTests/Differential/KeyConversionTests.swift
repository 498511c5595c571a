import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Keys of odd spelling")
struct KeyConversionTests {
  private static let name = CodingUserInfoKey(rawValue: "name")!

  /// All keys of an object, and the value of one that the user info names.
  private struct Keys: Decodable, Equatable {
    var all: Set<String>
    var named: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      all = Set(container.allKeys.map(\.stringValue))
      guard let name = decoder.userInfo[KeyConversionTests.name] as? String else { return }
      named = try container.decode(Int.self, forKey: AnyKey(name))
    }
  }

  private static let odd = [
    "", "_", "__", "___", "_a", "a_", "__a__", "a__b", "_a_b_", "a_b_c", "A_B", "aB_cD", "AB_CD",
    "1", "1_2", "a1_b2", "a_1", "a_1b", "address_2nd", "1a_2b", "_1_", "a_b1c", "a_1b2c", "A1B_C2D",
    "myURL_key", "my_url", "my_URL", "éa_éb", "É_É", "a_ß", "a_日b", "日_本", "a_-b", "a-b_c-d",
    "a b_c d", "a_'b", "a_b'c", "a_b.c", "a_b^c", "a_`b", "a_$b", "a_/b", #"a\u005fb"#,
    #"\u0061_b"#,
    "a_ǆ", "a_ﬁx", "i̇_İ", "_é_", "a___b", "snake_case_of_many_words_that_is_rather_long_indeed",
  ]

  private func swapped(_ text: String) -> String {
    String(text.map { $0 == "_" ? "-" : $0 == "-" ? "_" : $0 })
  }

  /// What all three strategies make of a key: Foundation's snake case, and this package's two.
  private func check(_ key: String) {
    let foundation = Foundation.JSONDecoder()
    foundation.keyDecodingStrategy = .convertFromSnakeCase
    let snake = JSONDecoder()
    snake.keyDecodingStrategy = .convertFromSnakeCase
    let kebab = JSONDecoder()
    kebab.keyDecodingStrategy = ._convertFromKebabCase
    do {
      let text = Data("{\"\(key)\": 1}".utf8)
      let expected = try foundation.decode(Keys.self, from: text)
      let name = expected.all.first ?? ""
      foundation.userInfo[Self.name] = name
      snake.userInfo[Self.name] = name
      #expect(
        try snake.decode(Keys.self, from: text) == foundation.decode(Keys.self, from: text),
        "\(key)")
      // Kebab case is snake case with another character.
      kebab.userInfo[Self.name] = swapped(name)
      let keys = try kebab.decode(
        Keys.self, from: Data("{\"\(swapped(key).replacing("\\u005f", with: "\\u002d"))\": 1}".utf8)
      )
      #expect(keys.all.map(swapped) == [name], "\(key)")
      #expect(keys.named == 1)
    } catch {
      Issue.record("\(key): \(error)")
    }
  }

  @Test("are read in snake case as Foundation does, and in kebab case by the same rules")
  func areReadInSnakeCaseAsFoundation() {
    for key in Self.odd { check(key) }
  }

  @Test("of random characters too") func ofRandomCharactersToo() {
    var random = SeededRandom(seed: 77)
    let characters = [
      "a", "b", "B", "C", "_", "_", "_", "1", "2", "é", "É", "-", " ", ".", "'", "^", "日", "ß",
    ]
    for _ in 0..<4_000 {
      check((0...random.below(9)).map { _ in random.pick(characters) }.joined())
    }
  }

  private struct Keyed: Encodable {
    let key: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(1, forKey: AnyKey(key))
    }
  }

  @Test("are written in kebab case by the rules of Foundation's snake case")
  func areWrittenInKebabCase() throws {
    let foundation = Foundation.JSONEncoder()
    foundation.keyEncodingStrategy = .convertToSnakeCase
    let kebab = JSONEncoder()
    kebab.keyEncodingStrategy = .convertToKebabCase
    var random = SeededRandom(seed: 78)
    let characters = ["a", "b", "B", "C", "D", "_", "1", "é", "É", "-", " ", ".", "日"]
    let keys =
      ["", "myURLProperty", "aB", "URL", "a1B", "_aB_"]
      + (0..<2_000).map { _ in
        (0...random.below(9)).map { _ in random.pick(characters) }.joined()
      }
    for key in keys {
      let expected = String(decoding: try foundation.encode(Keyed(key: key)), as: UTF8.self)
      let actual = String(
        decoding: try kebab.encode(Keyed(key: swapped(key))), as: UTF8.self)
      #expect(actual == swapped(expected), "\(key)")
    }
  }
}
