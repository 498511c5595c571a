import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Containers that are held and read in any order", .timeLimit(.minutes(60)))
struct InterleavedDecodingTests {
  private static let rounds =
    TestLength.isAtLeast(.long) ? 1_000_000 : TestLength.isAtLeast(.standard) ? 10_000 : 300

  @Test("give what Foundation's give, and the same errors", arguments: ["JSON", "XML", "binary"])
  func reading(format: String) throws {
    let seedKey = InterleavedReading.seed
    for seed in 1...UInt64(Self.rounds) {
      var random = RandomValues(seed: seed)
      let node = InterleavedReading.Node.object(
        (0..<4).map { ("\($0)", InterleavedReading.Node(&random, depth: 0)) })
      let (ours, theirs): (InterleavedReading, InterleavedReading)
      if format == "JSON" {
        let data = try Foundation.JSONEncoder().encode(node)
        let (decoder, foundation) = (JSON.Decoder(), Foundation.JSONDecoder())
        decoder.userInfo[seedKey] = InterleavedReading.Seeds(seed)
        foundation.userInfo[seedKey] = InterleavedReading.Seeds(seed)
        ours = try decoder.decode(InterleavedReading.self, from: data)
        theirs = try foundation.decode(InterleavedReading.self, from: data)
      } else {
        let encoder = Foundation.PropertyListEncoder()
        encoder.outputFormat = format == "XML" ? .xml : .binary
        let data = try encoder.encode(node)
        let (decoder, foundation) = (PropertyList.Decoder(), Foundation.PropertyListDecoder())
        decoder.userInfo[seedKey] = InterleavedReading.Seeds(seed)
        foundation.userInfo[seedKey] = InterleavedReading.Seeds(seed)
        ours = try decoder.decode(InterleavedReading.self, from: data)
        theirs = try foundation.decode(InterleavedReading.self, from: data)
      }
      if ours.lines != theirs.lines {
        let index = zip(ours.lines, theirs.lines).prefix { $0 == $1 }.count
        Issue.record(
          """
          seed \(seed), step \(index):
          \(ours.lines.dropFirst(index).first ?? "nothing")
          Foundation:
          \(theirs.lines.dropFirst(index).first ?? "nothing")
          """)
        return
      }
    }
  }
}

/// What a value reads from containers that it holds at once, in an order that is the same for the same
/// seed.
private final class InterleavedReading: Decodable {
  static let seed = CodingUserInfoKey(rawValue: "seed")!

  /// The seeds of the values of one document, in the order in which they are decoded.
  final class Seeds: Sendable {
    private let seed: Atomic<UInt64>

    init(_ seed: UInt64) { self.seed = Atomic(seed) }

    func next() -> UInt64 { seed.add(1_000_003, ordering: .relaxed).newValue }
  }

  /// A document.
  indirect enum Node: Encodable {
    case null, bool(Bool), int(Int), real(Double), text(String)
    case array([Node])
    case object([(String, Node)])

    init(_ random: inout RandomValues, depth: Int) {
      switch random.below(depth > 3 ? 5 : 8) {
      case 0: self = .null
      case 1: self = .bool(random.below(2) == 0)
      case 2: self = .int(random.below(300))
      case 3: self = .real(Double(random.below(100)) + 0.5)
      case 4: self = .text("\(random.below(100))")
      case 5:
        self = .array((0..<random.below(5)).map { _ in Node(&random, depth: depth + 1) })
      default:
        self = .object(
          (0..<random.below(5)).map { ("\($0)", Node(&random, depth: depth + 1)) })
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .null:
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      case .bool(let value): try value.encode(to: encoder)
      case .int(let value): try value.encode(to: encoder)
      case .real(let value): try value.encode(to: encoder)
      case .text(let value): try value.encode(to: encoder)
      case .array(let elements): try elements.encode(to: encoder)
      case .object(let entries):
        var container = encoder.container(keyedBy: NamedKey.self)
        for (key, value) in entries {
          try container.encode(value, forKey: NamedKey(stringValue: key))
        }
      }
    }
  }

  private(set) var lines: [String] = []
  private var decoders: [any Decoder] = []
  private var keyed: [KeyedDecodingContainer<NamedKey>] = []
  private var unkeyed: [any UnkeyedDecodingContainer] = []
  private var single: [any SingleValueDecodingContainer] = []

  init(from decoder: any Decoder) throws {
    let seeds = decoder.userInfo[Self.seed] as! Seeds
    var random = RandomValues(seed: seeds.next())
    decoders.append(decoder)
    lines.append("decoder at \(decoder.codingPath.map(\.stringValue))")
    for _ in 0..<(4 + random.below(30)) { step(&random, depth: decoder.codingPath.count) }
  }

  private func note<T>(_ what: String, _ read: () throws -> T) {
    do {
      lines.append("\(what): \(try read())")
    } catch {
      lines.append("\(what): \(Self.describe(error))")
    }
  }

  private static func describe(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map { "\($0.stringValue)(\($0.intValue ?? -1))" }.joined(separator: ".")
    }
    switch error {
    case DecodingError.typeMismatch(_, let context): return "mismatch at \(path(context))"
    case DecodingError.valueNotFound(_, let context): return "no value at \(path(context))"
    case DecodingError.keyNotFound(let key, let context):
      return "no key \(key.stringValue) at \(path(context))"
    // For a number that does not fit Foundation's decoder of JSON throws an error of its own.
    default: return "corrupted"
    }
  }

  private func step(_ random: inout RandomValues, depth: Int) {
    let index = random.below(decoders.count + keyed.count + unkeyed.count + single.count)
    if index < decoders.count {
      open(decoders[index], random.below(3))
    } else if index < decoders.count + keyed.count {
      read(keyed[index - decoders.count], "\(random.below(5))", random.below(12), depth)
    } else if index < decoders.count + keyed.count + unkeyed.count {
      read(index - decoders.count - keyed.count, random.below(12), depth)
    } else {
      let container = single[index - decoders.count - keyed.count - unkeyed.count]
      switch random.below(5) {
      case 0: note("single nil") { container.decodeNil() }
      case 1: note("single int") { try container.decode(Int.self) }
      case 2: note("single text") { try container.decode(String.self) }
      case 3: note("single array") { try container.decode([Int].self) }
      default: note("single path") { container.codingPath.map(\.stringValue) }
      }
    }
  }

  private func open(_ decoder: any Decoder, _ choice: Int) {
    do {
      switch choice {
      case 0: keyed.append(try decoder.container(keyedBy: NamedKey.self))
      case 1: unkeyed.append(try decoder.unkeyedContainer())
      default: single.append(try decoder.singleValueContainer())
      }
    } catch {
      lines.append("open \(choice): \(Self.describe(error))")
    }
  }

  private func read(
    _ container: KeyedDecodingContainer<NamedKey>, _ name: String, _ choice: Int, _ depth: Int
  ) {
    let key = NamedKey(stringValue: name)
    switch choice {
    case 0: note("contains \(name)") { container.contains(key) }
    case 1: note("nil \(name)") { try container.decodeNil(forKey: key) }
    case 2: note("int \(name)") { try container.decode(Int.self, forKey: key) }
    case 3: note("text \(name)") { try container.decode(String.self, forKey: key) }
    case 4: note("real \(name)") { try container.decode(Double.self, forKey: key) }
    case 5:
      note("optional \(name)") { try container.decodeIfPresent(Bool.self, forKey: key) as Any }
    case 6: note("keys") { container.allKeys.map(\.stringValue).sorted() }
    case 7:
      note("object \(name)") {
        keyed.append(try container.nestedContainer(keyedBy: NamedKey.self, forKey: key))
      }
    case 8:
      note("array \(name)") { unkeyed.append(try container.nestedUnkeyedContainer(forKey: key)) }
    case 9:
      note("super \(name)") { decoders.append(try container.superDecoder(forKey: key)) }
    case 10:
      // Which entry is decoded first is random in Foundation.
      note("map \(name)") {
        (try? container.decode([String: Int].self, forKey: key))?.sorted { $0.key < $1.key } as Any
      }
    default:
      if depth > 4 { return }
      note("value \(name)") { try container.decode(InterleavedReading.self, forKey: key).lines }
    }
  }

  private func read(_ index: Int, _ choice: Int, _ depth: Int) {
    var container = unkeyed[index]
    switch choice {
    case 0: note("nil") { try container.decodeNil() }
    case 1: note("int") { try container.decode(Int.self) }
    case 2: note("text") { try container.decode(String.self) }
    case 3: note("real") { try container.decode(Double.self) }
    // At the end Foundation counts one element more.
    case 4 where container.isAtEnd: return
    case 4: note("optional") { try container.decodeIfPresent(Int.self) as Any }
    case 5:
      note("place") { "\(container.currentIndex) \(container.isAtEnd) \(container.count ?? -1)" }
    case 6:
      note("object") { keyed.append(try container.nestedContainer(keyedBy: NamedKey.self)) }
    case 7: note("array") { unkeyed.append(try container.nestedUnkeyedContainer()) }
    case 8: note("super") { decoders.append(try container.superDecoder()) }
    case 9: note("array") { try container.decode([Int].self) }
    case 10: note("path") { container.codingPath.map(\.stringValue) }
    default:
      if depth > 4 { return }
      note("value") { try container.decode(InterleavedReading.self).lines }
    }
    unkeyed[index] = container
  }
}
