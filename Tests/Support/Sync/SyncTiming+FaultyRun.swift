package import KeepsakeSync

extension SyncTiming {
  /// With faults that last a second, and connections that are noticed to be gone while others come.
  package static var ofFaultyRuns: SyncTiming {
    var timing = SyncTiming()
    timing.answer = .seconds(1)
    timing.resend = .seconds(1)
    timing.silence = .seconds(1)
    timing.retry = .milliseconds(20) ... .milliseconds(500)
    return timing
  }
}
