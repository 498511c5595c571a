import KeepsakeBase
import KeepsakeSettings

/// What keeps settings in agreement with an engine.
final class SettingsSync: SettingsSharing {
  let member: SyncMember<SharedSettings>
  let transactions: SharedTransactions

  init(_ store: SharedSettings, engine: any SyncEngine, timing: SyncTiming) {
    member = SyncMember(store, engine: engine, timing: timing)
    transactions = SharedTransactions(store, engine: engine, timing: timing)
  }

  func end() { member.end() }
}

extension SharedSettings: SharedContent {
  struct Progress: SyncProgress {
    fileprivate var log: SyncLog
    var tooLarge: [String]
    var cluster: String? { log.cluster }
    var hasJoined: Bool { log.hasJoined }
    var revision: UInt64 { log.revision }
    var waitingCount: Int { log.changes.count - tooLarge.count }
    var isSent: Bool { waitingCount == 0 && log.replaced.isEmpty }
  }

  func progress(within limits: SyncLimits) -> Progress {
    let view = view
    let tooLarge = tooLarge(in: view, for: limits)
    return Progress(log: view.log, tooLarge: tooLarge.map(\.string).sorted())
  }

  /// The values that are larger than an engine takes; none where many have changes: these are hardly all too large, and
  /// it takes time to measure them.
  private func tooLarge(in view: SyncView, for limits: SyncLimits) -> [SettingsName] {
    view.log.changes.count > 100 ? [] : view.tooLarge(for: limits)
  }

  func isSentByAnother(within limits: SyncLimits) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(1)
    guard try await logBecomes(by: end, { $0.hasJoined }) else { return false }
    let view = view
    let waiting = Set(view.log.changes.keys).subtracting(tooLarge(in: view, for: limits))
    return try await logBecomes(by: end) { log in
      waiting.allSatisfy { log.changes[$0] == nil }
        && view.log.replaced.allSatisfy { origin, number in
          log.replaced[origin].map { $0 > number } ?? true
        }
    }
  }

  func driver(
    for engine: any SyncEngine, timing: SyncTiming, changes: ChangeSignal
  ) -> any SyncDriving {
    SyncDriver(self, engine: engine, timing: timing, changes: changes)
  }
}

extension SyncLog {
  /// Until then, a snapshot of what the others have says which values are changes.
  var hasJoined: Bool { cluster != nil && doubt == nil }
}
