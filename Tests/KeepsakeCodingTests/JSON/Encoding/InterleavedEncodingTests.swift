import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Containers that are held and used in any order", .timeLimit(.minutes(60)))
struct InterleavedEncodingTests {
  private static let rounds =
    TestLength.isAtLeast(.long) ? 1_000_000 : TestLength.isAtLeast(.standard) ? 10_000 : 500

  @Test("are encoded to Foundation's JSON") func json() throws {
    let theirs = Foundation.JSONEncoder()
    let ours = JSON.Encoder()
    theirs.outputFormatting = .sortedKeys
    ours.outputFormatting = .sortedKeys
    try compare(theirs.encode, ours.encode)
  }

  @Test("are encoded to Foundation's property list") func propertyList() throws {
    // Foundation ends the program for more.
    let theirs = Foundation.PropertyListEncoder()
    let ours = PropertyList.Encoder()
    theirs.outputFormat = .xml
    ours.outputFormat = .xml
    try compare(isNested: false, theirs.encode, ours.encode)
  }

  private func compare(
    isNested: Bool = true, _ theirs: (InterleavedValue) throws -> Data,
    _ ours: (InterleavedValue) throws -> Data
  ) throws {
    for seed in 1...UInt64(Self.rounds) {
      let value = InterleavedValue(seed: seed, isNested: isNested)
      let expected = String(decoding: try theirs(value), as: UTF8.self)
      let actual: String
      do {
        actual = String(decoding: try ours(value), as: UTF8.self)
      } catch {
        actual = "\(error)"
      }
      if actual != expected {
        Issue.record("seed \(seed):\n\(actual)\nFoundation:\n\(expected)")
        return
      }
    }
  }
}

/// A value that holds several containers and encoders at once, and writes to them in an order that
/// is the same for the same seed.
///
/// It does nothing that ends the program in Foundation, or whose result depends on the moment at
/// which Foundation's super encoders are deallocated: a key has containers of one kind, a super
/// encoder has a key of its own, and an array has at most one, after which nothing is counted.
struct InterleavedValue: Encodable {
  let seed: UInt64
  /// Whether encoders have single values, values within have super encoders, and write to the
  /// containers of the values around them.
  let isNested: Bool
  var depth = 0
  /// The containers of the value around this one.
  var outer: Containers?

  func encode(to encoder: any Encoder) throws {
    var random = RandomValues(seed: seed)
    let containers = Containers(isNested: isNested)
    containers.encoders.append(encoder)
    containers.states.append(.empty)
    // A value must encode something at the top.
    try containers.open(0, &random)
    for _ in 0..<(3 + random.below(14)) {
      let isOuter = outer != nil && random.below(6) == 0
      try (isOuter ? outer! : containers).step(&random, depth: depth)
    }
  }

  /// The containers that one value holds.
  final class Containers {
    enum State { case empty, single, keyed, unkeyed }

    /// What an object has for each key.
    final class Object {
      var keys: [String: Kind] = [:]
    }
    enum Kind { case value, object, array, encoder }

    private let isNested: Bool
    var encoders: [any Encoder] = []
    var states: [State] = []
    private var objects: [(container: KeyedEncodingContainer<NamedKey>, object: Object)] = []
    private var arrays: [(container: any UnkeyedEncodingContainer, hasEncoder: Bool)] = []
    /// What nested containers that were opened for the same key share.
    private var shared: [ObjectIdentifier: [String: Object]] = [:]
    private var roots: [Int: Object] = [:]

    init(isNested: Bool) { self.isNested = isNested }

    func step(_ random: inout RandomValues, depth: Int) throws {
      let count = encoders.count + objects.count + arrays.count
      let index = random.below(count)
      if index < encoders.count {
        try open(index, &random)
      } else if index < encoders.count + objects.count {
        try stepObject(index - encoders.count, &random, depth)
      } else {
        try stepArray(index - encoders.count - objects.count, &random, depth)
      }
    }

    /// Opens a container of an encoder.
    func open(_ index: Int, _ random: inout RandomValues) throws {
      if states[index] == .empty {
        // The root needs containers.
        states[index] = [.keyed, .unkeyed, .single][random.below(index > 0 && isNested ? 3 : 2)]
        if states[index] == .single {
          var container = encoders[index].singleValueContainer()
          return try container.encode(random.below(100))
        }
      }
      switch states[index] {
      case .keyed:
        let object = roots[index] ?? Object()
        roots[index] = object
        objects.append((encoders[index].container(keyedBy: NamedKey.self), object))
      case .unkeyed:
        if arrays.allSatisfy({ !$0.hasEncoder }) {
          arrays.append((encoders[index].unkeyedContainer(), false))
        }
      case .single, .empty: break
      }
    }

    private func stepObject(_ index: Int, _ random: inout RandomValues, _ depth: Int) throws {
      let object = objects[index].object
      var name = "\(random.below(6))"
      var kind = object.keys[name]
      if kind == .encoder {
        name = "\(1000 + random.below(1_000_000))"
        kind = nil
      }
      let key = NamedKey(stringValue: name)
      // A copy, as a value may add containers while it is encoded.
      var container = objects[index].container
      switch random.below(7) {
      case 0:
        if kind != nil && kind != .object { return }
        object.keys[name] = .object
        let inner = shared[ObjectIdentifier(object)]?[name] ?? Object()
        shared[ObjectIdentifier(object), default: [:]][name] = inner
        let nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: key)
        objects.append((nested, inner))
      case 1:
        if kind != nil && kind != .array { return }
        object.keys[name] = .array
        arrays.append((container.nestedUnkeyedContainer(forKey: key), false))
      case 2:
        if kind != nil || !isNested && depth > 0 { return }
        object.keys[name] = .encoder
        encoders.append(container.superEncoder(forKey: key))
        states.append(.empty)
      case 3:
        // A value that replaces a container leaves its holders with one that is not encoded.
        if depth > 2 || kind == .object || kind == .array { return }
        object.keys[name] = .value
        let value = InterleavedValue(
          seed: random.next(), isNested: isNested, depth: depth + 1, outer: isNested ? self : nil)
        try container.encode(value, forKey: key)
      case 4:
        if kind == .object || kind == .array { return }
        object.keys[name] = .value
        try container.encode([random.below(10)], forKey: key)
      default:
        if kind == .object || kind == .array { return }
        object.keys[name] = .value
        try container.encode(random.below(1000), forKey: key)
      }
    }

    private func stepArray(_ index: Int, _ random: inout RandomValues, _ depth: Int) throws {
      var container = arrays[index].container
      switch random.below(7) {
      case 0:
        objects.append((container.nestedContainer(keyedBy: NamedKey.self), Object()))
      case 1: arrays.append((container.nestedUnkeyedContainer(), false))
      case 2:
        if arrays.contains(where: \.hasEncoder) || !isNested && depth > 0 { return }
        arrays[index].hasEncoder = true
        encoders.append(container.superEncoder())
        states.append(.empty)
      case 3:
        if depth > 2 { return }
        let value = InterleavedValue(
          seed: random.next(), isNested: isNested, depth: depth + 1, outer: isNested ? self : nil)
        try container.encode(value)
      case 4: try container.encode(["a": random.below(10)])
      default: try container.encode(random.below(1000))
      }
    }
  }
}
