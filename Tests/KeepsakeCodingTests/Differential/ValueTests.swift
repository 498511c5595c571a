import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Values, through Foundation's JSON coders and these")
struct JSONValueDifferentialTests {
  /// In each of the parts, which run beside each other.
  static let caseCount = 12_500

  @Test(
    "Random values become the same bytes and come back as the same values",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: 0..<16)
  func randomValuesBecomeTheSameBytes(_ part: Int) {
    var random = SeededRandom(seed: UInt64(1000 + part))
    var faultCount = 0
    for _ in 0..<Self.caseCount where faultCount < 3 {
      let kind = random.pick(SampledKind.all)
      if let difference = kind.difference(&random) {
        faultCount += 1
        Issue.record("\(kind.name): \(difference)")
      }
    }
  }
}

/// A type that values are made of, and what two packages make of them.
struct SampledKind: Sendable {
  let name: String
  let difference: @Sendable (inout SeededRandom) -> String?
  /// Whether a text decodes alike.
  let decodingDifference: @Sendable (Data, Strategies) -> String?
  /// The text of a random value.
  let text: @Sendable (inout SeededRandom, Strategies) -> [UInt8]

  init<Value: Sampled>(_ type: Value.Type) {
    let name = "\(type)"
    self.name = name
    let hasDictionaries =
      name.contains("Dictionary")
      || ["Collections", "Keys", "Moments", "Tree", "Optionals", "Wrappers", "Mixed"]
        .contains { name.contains($0) }
    difference = { Self.difference(Value.self, hasDictionaries, &$0) }
    decodingDifference = { data, strategies in
      let expected = Outcome { try strategies.foundationDecoder().decode(Value.self, from: data) }
      let actual = Outcome { try strategies.decoder().decode(Value.self, from: data) }
      let agrees = actual.agrees(
        with: expected, hasDictionaries: hasDictionaries, isSame: Self.isSame)
      return agrees ? nil : actual.contrast(expected)
    }
    text = { random, strategies in
      var strategies = strategies
      strategies.convertsFloats = true
      let value = Value.sample(&random)
      return (try? Array(strategies.foundationEncoder().encode(value))) ?? []
    }
  }

  static let all = [
    SampledKind(Numbers.self), SampledKind(WideNumbers.self), SampledKind(Optionals.self),
    SampledKind(Collections.self), SampledKind(Shape.self), SampledKind([Shape?].self),
    SampledKind(Moments.self), SampledKind(Borrowed.self), SampledKind(Tree.self),
    SampledKind(Keys.self), SampledKind([Keys].self), SampledKind(Nested.self),
    SampledKind([String: Nested].self), SampledKind(Mixed.self), SampledKind(Wrappers.self),
    SampledKind(Zoo.self), SampledKind(Supers.self), SampledKind([[Double]].self),
    SampledKind([String: [Int?]].self), SampledKind(String.self), SampledKind(Int?.self),
    SampledKind([Date].self), SampledKind([Data].self), SampledKind([ChosenKey: Moments].self),
    SampledKind([Decimal].self), SampledKind([Float].self), SampledKind(URL.self),
  ]

  /// Whether two values are encoded alike: NaN equals nothing.
  private static func isSame<Value: Sampled>(_ left: Value, _ right: Value) -> Bool {
    let encoder = Foundation.JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "NaN")
    return (try? encoder.encode(left)) == (try? encoder.encode(right))
  }

  private static func difference<Value: Sampled>(
    _ type: Value.Type, _ hasDictionaries: Bool, _ random: inout SeededRandom
  ) -> String? {
    let value = Value.sample(&random)
    let strategies = Strategies(&random)
    let expected = Outcome { try strategies.foundationEncoder().encode(value) }
    let actual = Outcome { try strategies.encoder().encode(value) }
    guard actual.agrees(with: expected, hasDictionaries: hasDictionaries, isSame: ==) else {
      return "encoded with \(strategies): \(actual.contrast(expected)), of \(value)"
    }
    if random.happens(oneIn: 4) {
      let value = OutOfOrder(value: value)
      let expected = Outcome { try strategies.foundationEncoder().encode(value) }
      let actual = Outcome { try strategies.encoder().encode(value) }
      guard actual.agrees(with: expected, hasDictionaries: hasDictionaries, isSame: ==) else {
        return "encoded out of order with \(strategies): \(actual.contrast(expected)), of \(value)"
      }
    }
    guard case .result(let data) = expected else { return nil }
    let expectedCopy = Outcome { try strategies.foundationDecoder().decode(Value.self, from: data) }
    let actualCopy = Outcome { try strategies.decoder().decode(Value.self, from: data) }
    guard
      actualCopy.agrees(
        with: expectedCopy, hasDictionaries: hasDictionaries, isSame: isSame)
    else {
      let text = String(decoding: data, as: UTF8.self)
      return "decoded with \(strategies): \(actualCopy.contrast(expectedCopy)), of \(text)"
    }
    return nil
  }
}
