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
  var progress: SyncLog { log }

  func isSentByAnother() async -> Bool {
    let end = ContinuousClock.now + .seconds(1)
    guard await logBecomes(by: end, { $0.hasJoined }) else { return false }
    let waiting = log.changes
    return await logBecomes(by: end) { log in
      waiting.keys.allSatisfy { log.changes[$0] == nil }
    }
  }

  func driver(
    for engine: any SyncEngine, timing: SyncTiming, changes: ChangeSignal
  ) -> any SyncDriving {
    SyncDriver(self, engine: engine, timing: timing, changes: changes)
  }
}

extension SyncLog: SyncProgress {
  /// Until then, a snapshot of what the others have says which values are changes.
  var hasJoined: Bool { cluster != nil && doubt == nil }
  var waitingCount: Int { changes.count }
  var isSent: Bool { changes.isEmpty && replaced.isEmpty }
}
