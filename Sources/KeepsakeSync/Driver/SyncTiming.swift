/// How long what waits for an engine waits.
package struct SyncTiming: Sendable {
  /// For an answer.
  package var answer = Duration.seconds(5)
  /// For a message through a connection, before the engine is asked whether it is there.
  package var silence = Duration.seconds(5)
  /// Between two attempts: after the first failure, and at most; it doubles each time.
  package var retry: ClosedRange<Duration> = .milliseconds(100) ... .seconds(5)

  package init() {}
}
