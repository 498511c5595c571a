import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTesting
import SystemPackage
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

extension SyncLimits {
  /// So few that what is sent often takes several commits.
  static let few = SyncLimits(writes: 4, length: 1000)
}

extension InMemoryEngine {
  /// Opens the settings of a directory, which follow this engine if they are shared.
  nonisolated func settings(
    in directory: FilePath, isShared: Bool = true, timing: SyncTiming = .short
  ) throws -> SettingsStore {
    let container = AppContainer(root: directory, identifier: "com.example.small")
    let store = try SettingsStore(container: container, arguments: [])
    if isShared { try store.share(through: self, timing: timing) }
    return store
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
