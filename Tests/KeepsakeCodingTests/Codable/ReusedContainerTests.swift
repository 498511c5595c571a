import Foundation
import KeepsakeCoding
import Testing

@Suite("A container that is used again after another decoding kept it") struct ReusedContainerTests
{
  /// Keeps its containers until it is deallocated.
  private final class Keeper: Decodable {
    private enum Key: CodingKey { case value }
    private let container: KeyedDecodingContainer<Key>
    private let nested: KeyedDecodingContainer<Key>
    private let decoder: any Decoder

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      container = try decoder.container(keyedBy: Key.self)
      nested = try container.nestedContainer(keyedBy: Key.self, forKey: .value)
    }

    var values: [Int] {
      get throws {
        let again = try decoder.container(keyedBy: Key.self)
        return try [
          nested.decode(Int.self, forKey: .value),
          again.decode([String: Int].self, forKey: .value)["value"] ?? 0,
        ]
      }
    }
  }

  @Test(
    "reads its own document, and the next decoding another", arguments: ["JSON", "XML", "binary"])
  func reading(format: String) throws {
    func decode(_ number: Int) throws -> Keeper {
      let document = ["value": ["value": number]]
      if format == "JSON" {
        return try JSON.Decoder().decode(Keeper.self, from: JSON.Encoder().encode(document))
      }
      let encoder = PropertyList.Encoder()
      encoder.outputFormat = format == "XML" ? .xml : .binary
      return try PropertyList.Decoder().decode(Keeper.self, from: encoder.encode(document))
    }
    for number in 0..<20 {
      let first = try decode(number)
      var second: Keeper? = try decode(number + 100)
      #expect(try first.values == [number, number])
      #expect(try second?.values == [number + 100, number + 100])
      // What the second one has held can be used again.
      second = nil
      #expect(try decode(number + 200).values == [number + 200, number + 200])
      #expect(try first.values == [number, number])
    }
  }
}
