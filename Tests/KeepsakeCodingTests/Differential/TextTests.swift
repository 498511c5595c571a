import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Texts, through Foundation's JSON decoder and this one")
struct JSONTextDifferentialTests {
  /// In each of the parts, which run beside each other.
  static let caseCount = 50_500

  @Test(
    "Random texts are accepted alike, refused alike, and mean the same",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: 0..<16)
  func randomTextsAreAcceptedAlike(_ part: Int) {
    var text = RandomText(seed: UInt64(2000 + part))
    let untyped = SampledKind(AnyTree.self)
    var faultCount = 0
    for _ in 0..<Self.caseCount where faultCount < 3 {
      let strategies = Strategies(&text.random)
      var kind = untyped
      var bytes: [UInt8]
      if text.random.happens(oneIn: 2) {
        bytes = text.text()
        if text.random.happens(oneIn: 4) { kind = text.random.pick(SampledKind.all) }
      } else {
        kind = text.random.pick(SampledKind.all)
        bytes = kind.text(&text.random, strategies)
        text.exchange(&bytes)
        if text.random.happens(oneIn: 8) { kind = untyped }
      }
      if text.random.happens(oneIn: 3) { text.damage(&bytes) }
      if let difference = difference(bytes, kind, strategies) {
        faultCount += 1
        let text = String(decoding: bytes, as: UTF8.self)
        Issue.record("\(difference): \(kind.name) with \(strategies) of \(text)")
      }
    }
  }

  /// What the judge refuses must be refused as no JSON; what it accepts must be as with Foundation.
  private func difference(
    _ bytes: [UInt8], _ kind: SampledKind, _ strategies: Strategies
  ) -> String? {
    let data = Data(bytes)
    // Zeros make other encodings of it.
    if bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.first ?? 0 >= 0xFE {
      _ = try? strategies.decoder().decode(AnyTree.self, from: data)
      return nil
    }
    guard let fault = Judge.fault(in: bytes) else {
      if RandomText.hasOddNumbers(bytes) { return nil }
      return kind.decodingDifference(data, strategies)
    }
    switch Outcome({ try strategies.decoder().decode(AnyTree.self, from: data) }) {
    case .result(let value): return "it is no JSON (\(fault)) and became \(value)"
    case .failure(let failure):
      return failure.kind == "dataCorrupted"
        ? nil : "it is no JSON (\(fault)), which \(failure) does not say"
    }
  }
}

/// Any JSON.
enum AnyTree: Sampled {
  case null, flag(Bool), integer(Int), number(Double), text(String)
  case list([AnyTree]), object([String: AnyTree])

  static func sample(_ random: inout SeededRandom) -> AnyTree { .integer(random.sample()) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([AnyTree].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: AnyTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }
}
