import Foundation
import KeepsakeCoding
import Testing

@Suite("Paths of keys")
struct PathTests {
  enum Outer: Int, CodingKey { case first = 7, second }
  enum Inner: String, CodingKey { case name = "the_name" }

  struct Probe: Decodable {
    let paths: [[any CodingKey]]

    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: Outer.self)
      let inner = try outer.nestedContainer(keyedBy: Inner.self, forKey: .second)
      let list = try inner.nestedUnkeyedContainer(forKey: .name)
      paths = [decoder.codingPath, outer.codingPath, inner.codingPath, list.codingPath]
    }
  }

  @Test("have the keys of the types that were asked for") func haveTheKeysOfTheTypes() throws {
    let probe = try JSON.Decoder().decode(
      Probe.self, from: Array(#"{"first": 1, "second": {"x": 0, "the_name": [1]}}"#.utf8))
    #expect(probe.paths.map(\.count) == [0, 0, 1, 2])
    #expect(probe.paths[2][0] as? Outer == .second)
    #expect(probe.paths[2][0].intValue == 8)
    #expect(probe.paths[3][1] as? Inner == .name)
  }

  @Test("have the keys of the types behind a strategy") func haveTheKeysOfTheTypesBehind() throws {
    struct Book: Decodable {
      var pageCount: Int
      enum CodingKeys: CodingKey { case pageCount }
    }
    let decoder = JSON.Decoder()
    for strategy in [
      JSON.Decoder.KeyDecodingStrategy.convertFromSnakeCase,
      .custom { _ in Book.CodingKeys.pageCount },
    ] {
      decoder.keyDecodingStrategy = strategy
      do {
        _ = try decoder.decode([Book].self, from: Array(#"[{"page_count": "many"}]"#.utf8))
        Issue.record("This is not a number.")
      } catch DecodingError.typeMismatch(_, let context) {
        #expect(context.codingPath.count == 2)
        #expect(context.codingPath[0].intValue == 0)
        #expect(context.codingPath[1] as? Book.CodingKeys == .pageCount)
      }
    }
  }

  @Test("name the type where null stands for what a strategy reads")
  func nameTheTypeWhereNullStands() throws {
    struct Event: Decodable { var date: Date }
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .iso8601
    #expect {
      try decoder.decode(Event.self, from: Array(#"{"date": null}"#.utf8))
    } throws: { error in
      guard case DecodingError.valueNotFound(let type, _) = error else { return false }
      return type == Date.self
    }
  }
}
