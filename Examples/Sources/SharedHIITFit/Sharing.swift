import KeepsakeEtcd
import Stage

/// Whether the other machines have what was changed here.
@MainActor
final class Sharing: ObservableObject {
  /// Whether changes wait for an engine that does not answer.
  @Published private(set) var isWaiting = false

  /// Begins to follow settings, and prints each change of what is known.
  func follow(_ settings: SettingsStore) async {
    var printed: String?
    for await status in settings.syncStatus {
      let isOffline = if case .offline = status.state { true } else { false }
      let isWaiting = isOffline && status.waitingCount > 0
      if isWaiting != self.isWaiting { self.isWaiting = isWaiting }
      // Not each attempt, whose error may be that of another node.
      if status.summary != printed { print("Ratings: \(status.summary)\(status.reason)") }
      printed = status.summary
    }
  }
}

extension SyncStatus {
  fileprivate var summary: String {
    switch state {
    case .offline: "offline, \(waitingCount) to be sent"
    case .catchingUp: "catching up, \(waitingCount) to be sent"
    case .current: "up to date"
    }
  }

  fileprivate var reason: String {
    if case .offline(let error) = state { " (\(error))" } else { "" }
  }
}
