import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Inputs made of valid ones: bytes changed, removed, repeated, moved, and tokens inserted.
///
/// It is for parsers that `Scripts/fuzz` cannot compile, because other packages are part of them. The first inputs are
/// always the same, so that each run repeats them; the long tests go on for ten minutes.
package struct Mutations: Sequence, IteratorProtocol {
  private let seeds: [[UInt8]]
  private let tokens: [[UInt8]]
  private var random: SeededRandom
  private var count = 0
  private let end: ContinuousClock.Instant

  /// How many inputs there are at least.
  private static let least = TestLength.isAtLeast(.standard) ? 2000 : 500

  /// Mutations of inputs.
  ///
  /// - Parameters:
  ///   - seeds: Valid inputs, which come first.
  ///   - tokens: What the parser knows.
  ///   - seed: Of the random numbers, which are printed if the environment gives none in `KEEPSAKE_SEED`.
  package init(of seeds: [[UInt8]], tokens: [String] = [], seed: UInt64 = 1) {
    self.seeds = seeds
    self.tokens = tokens.map { Array($0.utf8) }
    let chosen = ProcessInfo.processInfo.environment["KEEPSAKE_SEED"].flatMap { UInt64($0) }
    random = SeededRandom(seed: chosen ?? seed)
    end = .now + (TestLength.isAtLeast(.long) ? .seconds(600) : .zero)
  }

  package mutating func next() -> [UInt8]? {
    count += 1
    if count <= seeds.count { return seeds[count - 1] }
    if count > Self.least && ContinuousClock.now > end {
      print("\(count - 1) mutations of \(seeds.count) inputs")
      return nil
    }
    var bytes = seeds.randomElement(using: &random)!
    for _ in 0..<Int.random(in: 1...8, using: &random) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let offset = Int.random(in: 0...bytes.count, using: &random)
    let length = Int.random(in: 0...Swift.min(32, bytes.count - offset), using: &random)
    let range = offset..<offset + length
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes.removeSubrange(range)
    case 1: bytes.insert(contentsOf: Array(bytes[range]), at: offset)
    case 2: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [0], at: offset)
    case 3: bytes.removeSubrange(offset...)
    case 4:
      let other = seeds.randomElement(using: &random)!
      bytes = bytes[..<offset] + other.suffix(Int.random(in: 0...other.count, using: &random))
    default:
      for index in range { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
    }
  }
}
