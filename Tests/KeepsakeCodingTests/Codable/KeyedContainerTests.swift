import FoundationEssentials
import KeepsakeBase
import KeepsakeCoding
import Testing

/// Keyed containers are used again for other values: nobody must notice.
@Suite("Keyed containers") struct KeyedContainerTests {
  private enum Keys: String, CodingKey { case number, inner }

  /// Keeps the container that it is decoded through.
  private struct Keeper: Decodable {
    let container: KeyedDecodingContainer<Keys>
    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }
  }

  private final class Box { var containers: [KeyedEncodingContainer<Keys>] = [] }

  /// Keeps the container that it is encoded through, beside those within.
  private struct Giver: Encodable {
    let depth: Int
    let box: Box
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(depth, forKey: .number)
      if depth > 0 { try container.encode(Giver(depth: depth - 1, box: box), forKey: .inner) }
      box.containers.append(container)
    }
  }

  private final class Chain: Codable, Equatable {
    let number: Int
    let inner: Chain?
    init(_ number: Int) {
      self.number = number
      inner = number > 0 ? Chain(number - 1) : nil
    }
    static func == (a: Chain, b: Chain) -> Bool { a.number == b.number && a.inner == b.inner }
  }

  @Test("of decoders that are kept go on with their own value") func ofKeptDecoders()
    throws
  {
    var kept: [(Int, Keeper)] = []
    for number in 0..<300 {
      let value = ["number": number]
      kept.append(
        (number, try JSON.Decoder().decode(Keeper.self, from: JSON.Encoder().encode(value))))
      let plist = try PropertyList.Encoder().encode(value)
      kept.append((number, try PropertyList.Decoder().decode(Keeper.self, from: plist)))
    }
    for (number, keeper) in kept {
      #expect(try keeper.container.decode(Int.self, forKey: .number) == number)
    }
    for (number, keeper) in kept.shuffled().prefix(200) {
      #expect(try keeper.container.decode(Int.self, forKey: .number) == number)
    }
  }

  @Test("of encoders that are kept write nothing into what is encoded later")
  func ofKeptEncoders() async {
    // In a process of its own: a kept container must not be used while another thread encodes.
    await #expect(processExitsWith: .success) {
      let box = Box()
      let value = Giver(depth: 20, box: box)
      let chain = Chain(20)
      let json = try JSON.Encoder().encode(chain)
      let plist = try PropertyList.Encoder().encode(chain)
      for _ in 0..<10 {
        _ = try JSON.Encoder().encode(value)
        _ = try PropertyList.Encoder().encode(value)
        for index in box.containers.indices {
          try? box.containers[index].encode(-1, forKey: .number)
          try? box.containers[index].encode([1, 2], forKey: .inner)
        }
        #expect(try JSON.Encoder().encode(chain) == json)
        #expect(try PropertyList.Encoder().encode(chain) == plist)
        for container in box.containers { #expect(container.codingPath.isEmpty) }
        if box.containers.count > 200 { box.containers.removeFirst(150) }
      }
    }
  }

  /// Keeps some of the containers that it and those within are decoded through.
  private final class Nest: Decodable {
    let number: Int
    let inner: Nest?
    let container: KeyedDecodingContainer<Keys>?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      number = try container.decode(Int.self, forKey: .number)
      inner = try container.decodeIfPresent(Nest.self, forKey: .inner)
      self.container = number % 7 == 0 ? container : nil
    }

    func check(_ expected: Int) throws {
      #expect(number == expected)
      if let container {
        #expect(try container.decode(Int.self, forKey: .number) == expected)
        #expect(try container.decodeIfPresent(Chain.self, forKey: .inner)?.number == inner?.number)
      }
      try inner?.check(expected - 1)
    }
  }

  @Test("of a type in itself are kept at any depth for any time") func keptAtAnyDepth() throws {
    var random = SeededRandom(seed: 3)
    var kept: [(Nest, Int)] = []
    for round in 0..<600 {
      let depth = Int.random(in: 0...40, using: &random)
      let json = try JSON.Encoder().encode(Chain(depth))
      kept.append((try JSON.Decoder().decode(Nest.self, from: json), depth))
      let (nest, number) = kept.randomElement(using: &random)!
      try nest.check(number)
      // More are kept than the cache keeps, then fewer.
      if round > 400 || Bool.random(using: &random) {
        kept.remove(at: Int.random(in: kept.indices, using: &random))
        if round > 400, !kept.isEmpty { kept.removeLast() }
      }
    }
    for (nest, number) in kept { try nest.check(number) }
  }

  @Test("of a type in itself, deeper than the cache has room") func ofRecursiveType() throws {
    let chain = Chain(200)
    for _ in 0..<3 {
      #expect(try JSON.Decoder().decode(Chain.self, from: JSON.Encoder().encode(chain)) == chain)
      let encoder = PropertyList.Encoder()
      for format in [PropertyList.Format.xml, .binary] {
        encoder.outputFormat = format
        #expect(
          try PropertyList.Decoder().decode(Chain.self, from: encoder.encode(chain)) == chain)
      }
    }
  }
}
