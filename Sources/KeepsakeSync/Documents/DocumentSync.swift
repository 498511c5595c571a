import KeepsakeBase
import KeepsakeDocuments
import KeepsakeSettings

/// What keeps documents in agreement with an engine.
final class DocumentSync: DocumentSharing {
  let member: SyncMember<DocumentExchange>
  private let exchange: DocumentExchange
  private let following: Task<Void, Never>

  init(_ documents: any SharedDocuments, engine: any SyncEngine, timing: SyncTiming) throws {
    let exchange = try DocumentExchange(documents, limits: engine.limits)
    let member = SyncMember(exchange, engine: engine, timing: timing)
    self.exchange = exchange
    self.member = member
    // What other processes have sent is seen in the index.
    member.start(exchange.index.changes, exchange.index.sharingLock())
    following = Task {
      await documents.followChanges { name in
        exchange.note([name])
        await member.storeChanged()
      }
    }
  }

  func changed(_ names: [String]) {
    exchange.note(names)
    Task { await member.storeChanged() }
  }

  func end() {
    following.cancel()
    member.end()
  }
}

extension DocumentExchange: SharedContent {
  struct Progress: SyncProgress {
    var cluster: String?
    var hasJoined: Bool
    var revision: UInt64
    var waitingCount: Int
    var tooLarge: [String]
    var isSent: Bool { waitingCount == 0 }
  }

  func progress(within limits: SyncLimits) async -> Progress {
    let log = index.log
    // What cannot be read now still waits.
    try? await onDisk { [self] in
      if log.hasJoined { try? scanFirst() }
      try compare()
    }
    return Progress(
      cluster: log.cluster, hasJoined: log.hasJoined, revision: log.revision,
      waitingCount: waitingCount, tooLarge: tooLarge)
  }

  func isSentByAnother(within limits: SyncLimits) async throws -> Bool {
    let moment = try await onDisk { [self] in try scan() }
    let end = ContinuousClock.now + .seconds(1)
    while true {
      try await onDisk { [self] in try compare() }
      if index.log.hasJoined, isSent(through: moment) { return true }
      if end < .now || Task.isCancelled { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  func driver(
    for engine: any SyncEngine, timing: SyncTiming, changes: ChangeSignal
  ) -> any SyncDriving {
    DocumentDriver(self, engine: engine, timing: timing, changes: changes)
  }
}
