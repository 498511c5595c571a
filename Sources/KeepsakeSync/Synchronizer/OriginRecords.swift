import KeepsakeSettings

/// What is known of an engine's records of the log's origins: which changes it has, and how far an answer has said so.
struct OriginRecords: Sendable {
  typealias Record = (through: SyncLog.Number, revision: UInt64)

  /// The last change of each origin that no answer has said was made.
  struct Unanswered: Sendable {
    /// Which may be made late, or never.
    fileprivate(set) var sent: [String: SyncLog.Number] = [:]
    /// Which was made. What shows it, as after a lost answer, does not say that it is as durable as what is answered:
    /// another answer does.
    fileprivate(set) var seen: [String: SyncLog.Number] = [:]

    var origins: Set<String> { Set(sent.keys).union(seen.keys) }
  }

  /// What the engine has of each origin, and the revisions of that.
  private(set) var all: [String: Record] = [:]
  /// What its answers to commits have said of each origin.
  private var answered: [String: SyncLog.Number] = [:]
  /// What it may have beyond that.
  private(set) var unanswered = Unanswered()

  subscript(origin: String) -> Record? { all[origin] }

  /// Whether an answer was of a later revision than one that the engine has now, to which it was set back then.
  func hasAnswer(after revision: UInt64) -> Bool { all.values.contains { $0.revision > revision } }

  private func isUnanswered(_ origin: String, _ through: SyncLog.Number) -> Bool {
    answered[origin].map { $0 < through } ?? true
  }

  /// What a commit has shown that no answer has said was made.
  func unanswered(in shown: [String: SyncLog.Number]) -> [String: SyncLog.Number] {
    shown.filter { isUnanswered($0.key, $0.value) }
  }

  /// Notes of which origins changes were made.
  mutating func noteSeen(
    _ made: [SettingsName: SyncLog.Change], _ shown: [String: SyncLog.Number]
  ) {
    for origin in Set(made.values.map(\.origin)) {
      if let through = shown[origin], isUnanswered(origin, through) {
        unanswered.seen[origin] = max(unanswered.seen[origin] ?? through, through)
      }
    }
  }

  /// Notes that a commit may have been made.
  mutating func noteSent(_ commit: SyncCommit) {
    for (origin, through) in Self.shown(in: commit.writes) {
      unanswered.sent[origin] = max(unanswered.sent[origin] ?? through, through)
    }
  }

  /// Notes that an engine has rejected a commit: it may never give another answer.
  ///
  /// - Parameter before: What was ``unanswered`` when it was asked for.
  mutating func noteRejected(_ commit: SyncCommit, before: Unanswered) {
    for case .origin(let origin) in commit.conditions.keys {
      noteAnswer(origin, through: OriginRecord(commit.writes[.origin(origin)] ?? nil)?.through)
      noteAnswer(origin, through: before.sent[origin])
      noteAnswer(origin, through: before.seen[origin])
    }
  }

  /// Takes the answer to a commit.
  ///
  /// - Parameter before: What was ``unanswered`` when it was asked for.
  mutating func take(_ result: SyncCommit.Result, to commit: SyncCommit, before: Unanswered) {
    for case (.origin(let origin), let assumed) in commit.conditions {
      switch result {
      case .committed(let revision):
        let record = commit.writes[.origin(origin)] ?? nil
        noteAnswer(origin, through: OriginRecord(record)?.through)
        learn(origin, record, revision)
      case .refused(let current):
        let item = current[.origin(origin)]
        noteAnswer(origin, through: OriginRecord(item?.value)?.through)
        if commit.writes.isEmpty {
          // What was seen before it was asked for is as durable as that; what was only sent may still be made.
          noteAnswer(origin, through: before.seen[origin])
          if unanswered.sent[origin] == before.sent[origin] { unanswered.sent[origin] = nil }
        }
        // What was assumed is wrong, also if the engine has something older.
        if all[origin]?.revision == assumed { all[origin] = nil }
        if let item { learn(origin, item.value, item.revision) }
      }
    }
  }

  private mutating func noteAnswer(_ origin: String, through number: SyncLog.Number?) {
    guard let number else { return }
    answered[origin] = max(answered[origin] ?? number, number)
    if let last = unanswered.sent[origin], !isUnanswered(origin, last) {
      unanswered.sent[origin] = nil
    }
    if let last = unanswered.seen[origin], !isUnanswered(origin, last) {
      unanswered.seen[origin] = nil
    }
  }

  /// Learns what an engine has of the log's origins: what it has of others would only grow, and one that is needed after
  /// all is learned by a refusal.
  mutating func learn(_ items: [SyncKey: SyncItem], of own: Set<String>) {
    for case (.origin(let origin), let item) in items where own.contains(origin) {
      learn(origin, item.value, item.revision)
    }
  }

  /// The same of a commit.
  mutating func learn(_ change: SyncChange, of own: Set<String>) {
    for case (.origin(let origin), let record) in change.writes where own.contains(origin) {
      learn(origin, record, change.revision)
    }
  }

  private mutating func learn(_ origin: String, _ record: [UInt8]?, _ revision: UInt64) {
    guard revision > all[origin]?.revision ?? 0 else { return }
    if let through = OriginRecord(record)?.through {
      all[origin] = (through, revision)
    } else if record == nil {
      all[origin] = nil
    }
  }

  /// The last change of each origin that commits show.
  static func shown(in writes: [SyncKey: [UInt8]?]) -> [String: SyncLog.Number] {
    var shown: [String: SyncLog.Number] = [:]
    for case (.origin(let origin), let record) in writes {
      shown[origin] = OriginRecord(record)?.through
    }
    return shown
  }
}
