import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

/// Finding keys in any order, in objects whose keys are sorted and in others.
@Suite struct KeyDirectoryTests {
  /// Names that share their beginnings, beyond eight bytes too, and one that is not ASCII.
  enum Keys: String, CodingKey, CaseIterable {
    case a, ab, abcdefg, abcdefgh, abcdefghi, b, longName, longNameAgain, m, offsetX, offsetY, z
    case empty = ""
    case umlaut = "ü"
  }

  /// The answers to questions in their order.
  struct Asking: Decodable {
    static let questions = CodingUserInfoKey(rawValue: "questions")!
    var answers: [Int?] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      for key in decoder.userInfo[Self.questions] as! [Keys] {
        let isThere = container.contains(key)
        let answer = try container.decodeIfPresent(Int.self, forKey: key)
        #expect(isThere == (answer != nil))
        answers.append(answer)
      }
    }
  }

  private func text(_ entries: [(key: String, value: Int)]) -> String {
    "{" + entries.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  @Test("every key is found in any order")
  func everyKeyIsFoundInWhateverOrder() throws {
    var random = SeededRandom(seed: 1)
    for round in 0..<3000 {
      // Objects of one text have more keys or fewer, sorted, nearly sorted, or not at all.
      var objects: [[(key: String, value: Int)]] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        var keys = Keys.allCases.map(\.rawValue).filter { _ in Bool.random(using: &random) }
        keys.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        switch round % 4 {
        case 1 where !keys.isEmpty:
          keys.insert(
            keys.randomElement(using: &random)!, at: .random(in: 0...keys.count, using: &random))
        case 2: keys.shuffle(using: &random)
        case 3: keys += keys.filter { _ in Bool.random(using: &random) }
        default: break
        }
        objects.append(keys.map { ($0, Int.random(in: 0...1000, using: &random)) })
      }
      let questions = (0..<20).map { _ in Keys.allCases.randomElement(using: &random)! }
      let text = "[" + objects.map(text).joined(separator: ",") + "]"

      let decoder = JSON.Decoder()
      decoder.userInfo[Asking.questions] = questions
      let answers = try decoder.decode([Asking].self, from: Array(text.utf8)).map(\.answers)
      let expected = objects.map { object in
        // The first of two equal keys counts.
        questions.map { question in object.first { $0.key == question.rawValue }?.value }
      }
      #expect(answers == expected, "\(text)")
    }
  }

  @Test("a key that is written with an escape is found among sorted ones") func aKeyThatIsWritten()
    throws
  {
    let text = #"{"\u0061": 1, "a": 2, "ab": 3, "b": 4, "m": 5, "z": 6}"#
    let decoder = JSON.Decoder()
    decoder.userInfo[Asking.questions] = [.z, .m, .a, .b, .ab] as [Keys]
    #expect(try decoder.decode(Asking.self, from: Array(text.utf8)).answers == [6, 5, 1, 4, 3])
  }

  @Test("the key that a policy leaves is found among sorted ones") func theKeyThatAPolicyLeaves()
    throws
  {
    let text = #"{"a": 1, "a": 2, "ab": 3, "b": 4, "m": 5, "z": 6}"#
    let decoder = JSON.Decoder()
    decoder.duplicateKeyPolicy = .last
    decoder.userInfo[Asking.questions] = [.z, .a, .m] as [Keys]
    #expect(try decoder.decode(Asking.self, from: Array(text.utf8)).answers == [6, 2, 5])
  }

  @Test("a container that is kept is asked about its own object") func aContainerThatIsKeptIsAsked()
    throws
  {
    struct Pair: Decodable {
      var outer: [Int?]
      var inner: [Int?]

      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self)
        let first = try outer.decodeIfPresent(Int.self, forKey: .m)
        let inner = try outer.nestedContainer(keyedBy: Keys.self, forKey: .z)
        self.inner = try [Keys.m, .a, .b].map { try inner.decodeIfPresent(Int.self, forKey: $0) }
        self.outer =
          [first] + (try [.a, .b].map { try outer.decodeIfPresent(Int.self, forKey: $0) })
      }
    }
    let text = """
      {"a": 1, "ab": 0, "b": 2, "m": 3, "z": {"a": 4, "ab": 0, "abcdefg": 0, "b": 5, "m": 6}}
      """
    let pair = try JSON.Decoder().decode(Pair.self, from: Array(text.utf8))
    #expect(pair.outer == [3, 1, 2])
    #expect(pair.inner == [6, 4, 5])
  }
}
