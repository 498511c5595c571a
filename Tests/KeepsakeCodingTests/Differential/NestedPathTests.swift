import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Errors in nested containers, through Foundation's decoder and this one")
struct NestedPathTests {
  /// A step into a value.
  enum Step: CaseIterable {
    case keyed, keyedInList, list, listInList, superByKey, superOfObject, superInList
  }

  /// Goes some steps into a value, and decodes an integer there.
  struct Walk: Decodable, Equatable {
    static let steps = CodingUserInfoKey(rawValue: "steps")!
    var end: Int

    init(from decoder: any Decoder) throws {
      let steps = decoder.userInfo[Self.steps] as? [Step] ?? []
      var decoder = decoder
      for step in steps {
        // Each step ends with a decoder, which a container of the next one's is asked of.
        switch step {
        case .keyed:
          let object = try decoder.container(keyedBy: AnyKey.self)
          decoder = try object.nestedContainer(keyedBy: AnyKey.self, forKey: "a").superDecoder()
        case .keyedInList:
          var list = try decoder.unkeyedContainer()
          decoder = try list.nestedContainer(keyedBy: AnyKey.self).superDecoder(forKey: "a")
        case .list:
          let object = try decoder.container(keyedBy: AnyKey.self)
          var list = try object.nestedUnkeyedContainer(forKey: "a")
          decoder = try list.superDecoder()
        case .listInList:
          var outer = try decoder.unkeyedContainer()
          var list = try outer.nestedUnkeyedContainer()
          decoder = try list.superDecoder()
        case .superByKey:
          decoder = try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: "a")
        case .superOfObject: decoder = try decoder.container(keyedBy: AnyKey.self).superDecoder()
        case .superInList:
          var list = try decoder.unkeyedContainer()
          _ = try? list.decodeNil()
          decoder = try list.superDecoder()
        }
      }
      end = try decoder.singleValueContainer().decode(Int.self)
    }
  }

  private func text(_ steps: some Collection<Step>, _ random: inout SeededRandom) -> String {
    guard let step = steps.first else {
      return random.pick(["1", "null", "\"x\"", "[]", "1.5", "{}"])
    }
    if random.happens(oneIn: 12) {
      return random.pick(["1", "null", "[]", "{}", "[null]", "{\"a\":null}", "\"x\"", "{\"b\":{}}"])
    }
    let rest = text(steps.dropFirst(), &random)
    return switch step {
    case .keyed: "{\"b\":0,\"a\":{\"super\":\(rest)}}"
    case .keyedInList: "[{\"a\":\(rest)},2]"
    case .list: "{\"a\":[\(rest)]}"
    case .listInList: "[[\(rest)]]"
    case .superByKey: "{\"a\":\(rest)}"
    case .superOfObject: "{\"super\":\(rest)}"
    case .superInList: random.pick(["[null,\(rest)]", "[\(rest)]"])
    }
  }

  @Test("are of the same kind at the same path, however they are reached", arguments: 0..<4)
  func areOfTheSameKind(part: Int) throws {
    var random = SeededRandom(seed: UInt64(900 + part))
    var errorCount = 0
    for _ in 0..<4_000 {
      let steps = (0..<random.below(5)).map { _ in random.pick(Step.allCases) }
      let text = text(steps, &random)
      let decoder = JSONDecoder()
      decoder.userInfo[Walk.steps] = steps
      let foundation = Foundation.JSONDecoder()
      foundation.userInfo[Walk.steps] = steps
      let data = Data(text.utf8)
      let here = Outcome { try decoder.decode(Walk.self, from: data) }
      let there = Outcome { try foundation.decode(Walk.self, from: data) }
      if case .failure = here { errorCount += 1 }
      guard here.agrees(with: there, isSame: ==) else {
        Issue.record("\(steps) into \(text): \(here), but \(there) with Foundation")
        return
      }
    }
    #expect(errorCount > 1_000)
  }
}
