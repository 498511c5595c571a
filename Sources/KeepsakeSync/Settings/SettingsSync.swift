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
    let waiting = log.changes
    return await logBecomes(within: .seconds(1)) { log in
      log.cluster != nil && waiting.keys.allSatisfy { log.changes[$0] == nil }
    }
  }

  func driver(
    for engine: any SyncEngine, timing: SyncTiming, changes: ChangeSignal
  ) -> any SyncDriving {
    SyncDriver(self, engine: engine, timing: timing, changes: changes)
  }
}

extension SyncLog: SyncProgress {
  var hasJoined: Bool { cluster != nil }
  var waitingCount: Int { changes.count }
}
