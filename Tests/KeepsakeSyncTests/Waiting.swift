import Testing

@testable import KeepsakeSync

extension SyncTiming {
  /// For engines in memory.
  static var short: SyncTiming {
    var timing = SyncTiming()
    timing.answer = .seconds(1)
    timing.resend = .milliseconds(200)
    timing.silence = .milliseconds(100)
    timing.retry = .milliseconds(1) ... .milliseconds(20)
    return timing
  }
}

/// Waits until something is true.
func eventually(
  _ isTrue: () async throws -> Bool, location: SourceLocation = #_sourceLocation
) async throws {
  let deadline = ContinuousClock.now + .seconds(240)
  while try await !isTrue() {
    try #require(.now < deadline, sourceLocation: location)
    try await Task.sleep(for: .milliseconds(5))
  }
}
