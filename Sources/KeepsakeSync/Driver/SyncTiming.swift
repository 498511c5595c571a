#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long what waits for an engine waits, and what time it is.
package struct SyncTiming: Sendable {
  /// For an answer.
  package var answer = Duration.seconds(5)
  /// For the answer to a commit, before it is sent again, which does no harm.
  package var resend = Duration.seconds(2)
  /// For each byte of a commit, beside that: where nobody has waited for so much yet, nothing says how slow the network is.
  package var transfer = Duration.microseconds(20)
  /// For an answer at most, where earlier ones took long or did not come.
  package var patience = Duration.seconds(60)
  /// For a message through a connection, before the engine is asked whether it is there.
  package var silence = Duration.seconds(5)
  /// Between two attempts: after the first failure, and at most; it doubles each time.
  package var retry: ClosedRange<Duration> = .milliseconds(100) ... .seconds(5)

  /// How long to wait before each check whether there are assets to remove.
  package var collectionPause = Duration.seconds(15 * 60)
  /// How long no document must have named an asset that is removed.
  package var unusedAssets = Duration.seconds(24 * 60 * 60)

  /// The time by the clock of this machine, in seconds since 1970.
  ///
  /// It may be wrong: only what is removed after long depends on it.
  package var time: @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }

  package init() {}

  /// The day, counted from 1970.
  var day: Int {
    let days = OriginRecord.days
    return min(max(time() / 86_400, days.lowerBound), days.upperBound)
  }

  /// How long to wait after some failures; not the same time for all who wait for an engine.
  func pause(after failures: Int) -> Duration {
    min(retry.lowerBound * (1 << min(failures, 20)), retry.upperBound) * Double.random(in: 0.5...1)
  }
}
