import KeepsakeBase
import Testing

@testable import KeepsakeCoding

import Foundation

@Suite("Keys of one object") struct KeyLookupTests {
  /// Reads the values of keys, in any order, and each several times.
  private struct Questions: Decodable {
    static var questions: CodingUserInfoKey { CodingUserInfoKey(rawValue: "questions")! }
    let answers: [Int?]

    init(from decoder: any Swift.Decoder) throws {
      let container = try decoder.container(keyedBy: AnyCodingKey.self)
      let questions = decoder.userInfo[Self.questions] as? [String] ?? []
      answers = try questions.map {
        try container.decodeIfPresent(Int.self, forKey: AnyCodingKey(stringValue: $0)!)
      }
    }
  }

  @Test("are found in any order, in any number and with any beginning")
  func areFoundInAnyOrder() throws {
    var random = SeededRandom(seed: 61)
    for _ in 0..<300 {
      let count = Int.random(in: 0...80, using: &random)
      let starts = ["", "profile_", "profile_background_", "é", "\u{1F600}"]
      var keys = (0..<count).map { _ in
        starts.randomElement(using: &random)! + String(Int.random(in: 0..<100, using: &random))
      }
      if Bool.random(using: &random) {
        keys.sort { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
      }
      var first: [String: Int] = [:]
      var last: [String: Int] = [:]
      for (number, key) in keys.enumerated() {
        if first[key] == nil { first[key] = number }
        last[key] = number
      }
      let questions =
        (keys + starts + ["profile_background_1x", "z"]).shuffled(using: &random)
      let text = "{" + keys.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
      for policy in [JSON.DuplicateKeyPolicy.first, .last] {
        let decoder = JSON.Decoder()
        decoder.duplicateKeyPolicy = policy
        decoder.userInfo = [Questions.questions: questions]
        // A key that an object has twice may be given its second value when it is asked again.
        let asked = policy == .first ? Array(Set(questions)) : questions
        decoder.userInfo = [Questions.questions: asked]
        let answers = try decoder.decode(Questions.self, from: Array(text.utf8)).answers
        let expected = asked.map { policy == .first ? first[$0] : last[$0] }
        #expect(answers == expected, "\(text) \(asked)")
      }
      let list = keys.enumerated().map { "<key>\($1)</key><integer>\($0)</integer>" }.joined()
      let decoder = PropertyList.Decoder()
      decoder.userInfo = [Questions.questions: questions]
      let answers = try decoder.decode(
        Questions.self, from: Array("<plist><dict>\(list)</dict></plist>".utf8)
      ).answers
      #expect(answers == questions.map { last[$0] }, "\(list) \(questions)")
    }
  }

  @Test("that are not ASCII are found in any spelling, as with Foundation")
  func thatAreNotASCIIAreFoundInAnySpelling() throws {
    struct Cafe: Codable, Equatable {
      var café: Int
      var other: Int?
    }
    for key in ["caf\u{E9}", "cafe\u{301}"] {
      let text = Data(#"{"a": 0, "\#(key)": 1, "z": 2}"#.utf8)
      let cafe = try JSON.Decoder().decode(Cafe.self, from: text)
      #expect(cafe.café == 1)
      #expect(try Foundation.JSONDecoder().decode(Cafe.self, from: text) == cafe)
      let list: PropertyList.Value = ["a": 0, key: 1, "z": 2]
      #expect(try PropertyList.Decoder().decode(Cafe.self, from: list) == cafe)
      #expect(try PropertyList.Decoder().decode(Cafe.self, from: list.serializedXML()) == cafe)
      #expect(try PropertyList.Decoder().decode(Cafe.self, from: list.serializedBinary()) == cafe)
    }
  }

  @Test("are equal by their bytes once escapes are resolved")
  func areEqualByTheirBytesOnceEscapesAreResolved() throws {
    let decoder = JSON.Decoder()
    decoder.duplicateKeyPolicy = .error
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([String: Int].self, from: Array(#"{"b": 1, "a": 2, "\u0061": 3}"#.utf8))
    }
    #expect(error?.location?.column == 18)
    #expect(
      try decoder.decode(
        JSON.Value.self, from: Array("{\"caf\u{E9}\": 1, \"cafe\u{301}\": 2}".utf8))
        != .null)
    decoder.duplicateKeyPolicy = .last
    #expect(
      try decoder.decode([String: Int].self, from: Array(#"{"\u0061": 1, "b": 2, "a": 3}"#.utf8))
        == ["a": 3, "b": 2])
  }
}
