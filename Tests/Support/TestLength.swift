#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long the tests may take; `Scripts/test` says it in the variable `KEEPSAKE_TESTS`.
package enum TestLength: String, Comparable {
  /// Three minutes, without optimization.
  case quick
  /// What a change must pass.
  case standard
  /// As long as it takes.
  case long

  /// The length of this run.
  package static let current =
    ProcessInfo.processInfo.environment["KEEPSAKE_TESTS"].flatMap(TestLength.init) ?? .standard

  /// Whether this run is as long as that, or longer.
  package static func isAtLeast(_ length: TestLength) -> Bool { current >= length }

  package static func < (one: TestLength, other: TestLength) -> Bool {
    let order = [quick, standard, long]
    return order.firstIndex(of: one)! < order.firstIndex(of: other)!
  }
}
