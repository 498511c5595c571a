import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

/// Which value counts where a key stands twice, in any order in which keys are asked for.
@Suite struct RepeatedKeyTests {
  enum Keys: String, CodingKey, CaseIterable { case a, b, c, fooBar }

  /// The values of keys in the order asked for.
  struct Asking: Decodable {
    static let order = CodingUserInfoKey(rawValue: "order")!
    var values: [Int?] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      for key in decoder.userInfo[Self.order] as! [Keys] {
        values.append(try container.decodeIfPresent(Int.self, forKey: key))
      }
    }
  }

  private func ask(
    _ keys: [Keys], of text: String, _ set: (JSON.Decoder) -> Void = { _ in }
  ) throws -> [Int?] {
    let decoder = JSON.Decoder()
    decoder.userInfo[Asking.order] = keys
    set(decoder)
    return try decoder.decode(Asking.self, from: Array(text.utf8)).values
  }

  /// Asks whether a key is there before it asks for its value.
  struct Careful: Decodable {
    var value: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      guard container.contains(.a), try !container.decodeNil(forKey: .a) else { return }
      value = try container.decode(Int.self, forKey: .a)
    }
  }

  @Test("A question whether a key is there takes no value") func aQuestionWhetherAKey() throws {
    let value = try JSON.Decoder().decode(Careful.self, from: Array(#"{"a":1,"a":2}"#.utf8))
    #expect(value.value == 1)
  }

  @Test("Random objects give the first, or the last, of each key's values")
  func randomObjectsGiveTheFirst() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<3_000 {
      let count = Int(random.next() % 8)
      var text = "{"
      var first: [String: Int] = [:]
      var last: [String: Int] = [:]
      for index in 0..<count {
        let key = Keys.allCases[Int(random.next() % 4)].rawValue
        let written = random.next() % 5 == 0 ? key.replacing("a", with: #"\u0061"#) : key
        text += "\(index == 0 ? "" : ",")\"\(written)\":\(index)"
        if first[key] == nil { first[key] = index }
        last[key] = index
      }
      text += "}"
      // Some are asked for again.
      let order = (Keys.allCases + Keys.allCases).shuffled(using: &random).dropLast(2)
      #expect(try ask(Array(order), of: text) == order.map { first[$0.rawValue] }, "\(text)")
      #expect(
        try ask(Array(order), of: text) { $0.duplicateKeyPolicy = .last }
          == order.map { last[$0.rawValue] },
        "\(text)")
      #expect(
        try ask(Array(order), of: text) { $0.keyDecodingStrategy = .convertFromSnakeCase }
          == order.map { first[$0.rawValue] }, "\(text)")
    }
  }

  @Test("The first value counts for every container of an object")
  func theFirstValueCountsForEveryContainer() throws {
    struct Both: Decodable {
      enum Base: String, CodingKey { case a, b }
      enum More: String, CodingKey { case b }
      var values: [Int]

      init(from decoder: any Decoder) throws {
        let base = try decoder.container(keyedBy: Base.self)
        values = try [.b, .a].map { try base.decode(Int.self, forKey: $0) }
        let more = try decoder.container(keyedBy: More.self)
        values.append(try more.decode(Int.self, forKey: .b))
        values.append(try base.decode(Int.self, forKey: .b))
      }
    }
    let text = Array(#"[{"b":1,"a":2,"b":3},{"b":4,"a":5,"b":6}]"#.utf8)
    let values = try JSON.Decoder().decode([Both].self, from: text).map(\.values)
    #expect(values == [[1, 2, 1, 1], [4, 5, 4, 4]])
  }

  @Test("Keys that become equal by conversion are the same key")
  func keysThatBecomeEqualByConversion() throws {
    let text = #"{"foo_bar":1,"a":2,"fooBar":3,"foo_bar_":4}"#
    #expect(
      try ask([.a, .fooBar], of: text) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        == [2, 1])
  }

  @Test("A key that stands twice is refused where that is asked for")
  func aKeyThatStandsTwiceIsRefused() {
    for text in [#"{"a":1,"a":2}"#, #"{"a":1,"b":2,"\u0061":2}"#] {
      #expect(throws: DecodingError.self) {
        try ask([.a], of: text) { $0.duplicateKeyPolicy = .error }
      }
    }
  }
}
