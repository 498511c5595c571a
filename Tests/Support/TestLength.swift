#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long the tests may take; `Scripts/test` sets it in `KEEPSAKE_TESTS`.
package enum TestLength: String, Comparable {
  /// Three minutes, without optimization.
  case quick
  /// What a change must pass.
  case standard
  /// As long as needed.
  case long

  /// The length of this run.
  package static let current =
    ProcessInfo.processInfo.environment["KEEPSAKE_TESTS"].flatMap(TestLength.init) ?? .standard

  /// Whether this run is at least as long as the given length.
  package static func isAtLeast(_ length: TestLength) -> Bool { current >= length }

  package static func < (one: TestLength, other: TestLength) -> Bool {
    let order = [quick, standard, long]
    return order.firstIndex(of: one)! < order.firstIndex(of: other)!
  }
}
