import Testing

@testable import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The first values of a type are decoded by its own `init(from:)`, later ones at once.
@Suite("Types that were not met before") struct TypeShapeTests {
  /// Never decoded elsewhere, as every use of it has a tag of its own.
  private struct Item<Tag>: Codable, Equatable {
    var name: String
    var counts: [String: Int?]?
    var rows: [[Double]]
    var when: [Date]
  }

  private enum A {}
  private enum B {}
  private enum C {}
  private enum D {}
  private enum E {}
  private enum F {}

  /// What decoding gives: a value, or the whole error.
  private func outcome<Value: Decodable>(
    _ type: Value.Type, _ text: String, _ decoder: JSON.Decoder = JSON.Decoder()
  ) -> String {
    do {
      return "\(try decoder.decode(type, from: Array(text.utf8)))"
    } catch let error as DecodingError {
      return "\(error)\n\(error.location?.description ?? "")"
    } catch {
      return "\(error)"
    }
  }

  private func expectSame<Value: Decodable>(
    _ type: Value.Type, _ text: String, _ decoder: JSON.Decoder = JSON.Decoder()
  ) -> String {
    let first = outcome(type, text, decoder)
    for count in 0..<200 {
      let next = outcome(type, text, decoder)
      // Equal dictionaries may have their keys in different orders.
      if next.sorted() != first.sorted() {
        Issue.record("\(count + 2) times: \(next) instead of \(first)")
        break
      }
    }
    return first
  }

  private let item = #"{"name":"a","counts":{"x":1,"y":null},"rows":[[1,2],[]],"when":[1.5]}"#

  @Test("are decoded as they are later")
  func areDecodedAsTheyAreLater() {
    #expect(expectSame([Item<A>].self, "[\(item)]").contains("a"))
    _ = expectSame([[String: Item<A>]?].self, "[null,{\"b\":\(item)}]")
  }

  @Test("have the errors that they have later, with path and line")
  func haveTheErrorsThatTheyHaveLater() {
    for wrong in [
      #"{"name":"a","rows":[[1],[2,"x"]],"when":[]}"#, #"{"name":"a","rows":[],"when":[1,true]}"#,
      #"{"name":"a","counts":{"1":2,"3":"x"},"rows":[],"when":[]}"#, #"{"name":[],"rows":1}"#,
      #"{"rows":{}}"#, "null", "[]", "5",
    ] {
      _ = expectSame([Item<B>].self, "[\(item),\n\(wrong)]")
      _ = expectSame([String: [Item<C>?]].self, "{\"list\":[\(item),\n\(wrong)]}")
    }
  }

  @Test("keep the keys of dictionaries, which are values, with any strategy for keys")
  func keepTheKeysOfDictionaries() {
    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let keys = expectSame([[String: Item<D>]].self, "[{\"snake_case\":\(item)}]", decoder)
    #expect(keys.contains("snake_case"))
    decoder.keyDecodingStrategy = .custom { _ in
      KeepsakeCoding.AnyCodingKey(stringValue: "name") as any CodingKey
    }
    #expect(
      expectSame([String: [String: [Item<E>]]].self, #"{"a_b":{"c_d":[]}}"#, decoder)
        .contains("c_d"))
  }

  @Test("count one of several equal keys of a dictionary, as the policy says")
  func countOneOfSeveralEqualKeys() {
    let text = "{\"k\":{\"a\":[]},\"e\u{301}\":{},\"k\":{\"b\":[]},\"\u{e9}\":{\"c\":[]},\"\":{}}"
    for policy in [JSON.DuplicateKeyPolicy.first, .last, .error] {
      let decoder = JSON.Decoder()
      decoder.duplicateKeyPolicy = policy
      switch policy {
      case .first:
        struct First: Decodable {}
        let result = equalKeys([String: [String: [First]]].self, text, decoder)
        #expect(result.hasPrefix("a:"))
      case .last:
        struct Last: Decodable {}
        let result = equalKeys([String: [String: [Last]]].self, text, decoder)
        #expect(result.hasPrefix("b:"))
      default:
        _ = expectSame([String: [String: [Item<F>]]].self, text, decoder)
      }
    }
  }

  private func equalKeys<Value>(
    _ type: [String: [String: [Value]]].Type, _ text: String, _ decoder: JSON.Decoder
  ) -> String where Value: Decodable {
    func keys() -> String {
      guard let value = try? decoder.decode(type, from: Array(text.utf8)) else { return "error" }
      return ["k", "\u{e9}", ""].map { value[$0].map { $0.keys.sorted().joined() } ?? "none" }
        .joined(separator: ":") + ":\(value.count)"
    }
    let first = keys()
    for _ in 0..<200 where keys() != first {
      Issue.record("\(keys()) instead of \(first)")
      break
    }
    return first
  }
}
