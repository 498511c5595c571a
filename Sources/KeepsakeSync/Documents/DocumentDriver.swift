import KeepsakeBase
import KeepsakeDocuments
import KeepsakeSettings

/// Has an exchange of documents talk to an engine.
actor DocumentDriver: SyncDriving {
  let exchange: DocumentExchange
  private let engine: any SyncEngine
  let requests: SyncRequests
  let timing: SyncTiming
  private let changes: ChangeSignal
  private var running: Task<Void, Never>?
  private var failures = 0
  /// How often in a row something could not be sent, while other requests were answered.
  private var sendFailures = 0
  /// Why the last of these was not.
  private var sendError: SyncError?
  private var lastError: SyncError?
  /// Signaled by each call that waits for everything to be sent: what failed before is tried again.
  private let calls = ChangeSignal()
  /// The last failure that is not one of the connection, and the last call before what failed was begun.
  private var refusal: (error: any Error, call: UInt64)?
  /// Whether the last failure was one of this machine's disk.
  private var isDiskFailing = false
  /// The documents that the engine has rejected: they are sent last.
  private var rejected: Set<String> = []
  /// How many documents are sent at once: fewer where an answer did not come, as on a slow line.
  private var batchCount: Int
  /// The revision of the engine's last commit when the connection began; nil if there is none.
  private var firstRevision: UInt64?
  /// Whether everything was read when the connection began.
  private var hasRead = false
  /// Whether everything is to be read, although the index has a revision.
  private var mustRead = false
  /// When everything was begun to be read, until it was taken.
  private var readingStart: ContinuousClock.Instant?
  /// The assets of documents that were just taken, until it is known that they are here.
  private var taken: Set<String> = []
  /// Until which revision changes should come for which others were refused.
  private var refusedThrough: UInt64?
  /// What the index is about, once the connection was found to be one to that.
  private var met: SyncPosition?
  /// When the files were examined after everything was read; the end of time until they are.
  private var momentAfterReading: UInt64 = 0
  private var isEnded = false
  /// When assets are collected next.
  var nextCollection: ContinuousClock.Instant

  init(
    _ exchange: DocumentExchange, engine: any SyncEngine, timing: SyncTiming, changes: ChangeSignal
  ) {
    self.exchange = exchange
    self.engine = engine
    requests = SyncRequests(engine, timing: timing)
    self.timing = timing
    self.changes = changes
    batchCount = Self.mostDocuments(of: exchange.limits)
    nextCollection = .now + timing.collectionPause
    // An earlier process may have ended before it was answered.
    exchange.noteAnswer(isMissing: true)
  }

  var status: SyncStatus {
    var status = SyncStatus(.catchingUp, waitingCount: exchange.waitingCount)
    status.tooLarge = exchange.tooLarge
    if let error = failures > 0 ? lastError : sendFailures > 0 ? sendError : nil {
      status.state = .offline(error)
    } else if let firstRevision, status.waitingCount == 0,
      exchange.index.log.revision >= firstRevision
    {
      status.state = .current
    }
    return status
  }

  var hasMet: Bool { met != nil }

  func start() {
    if running == nil, !isEnded { running = Task { await run() } }
  }

  func end() {
    isEnded = true
    running?.cancel()
    // Another process may have what was refused merged, and sent.
    exchange.sendRefusedAgain()
    changes.advance()
  }

  func storeChanged() { changes.advance() }

  func sent(waits: Bool) async throws {
    let exchange = exchange
    let moment = try await onDisk {
      exchange.tryHeldAgain()
      return try exchange.scan()
    }
    calls.advance()
    let call = calls.version
    changes.advance()
    while true {
      let version = changes.version
      // Before it is known which engine it is, and what that has, it is not known what is to be sent.
      if met != nil, exchange.isSent(through: max(moment, momentAfterReading)) { break }
      if isEnded { throw CancellationError() }
      if let refusal, refusal.call >= call { throw refusal.error }
      if !waits, failures > 3, let lastError { throw lastError }
      await changes.waiters.wait { changes.version != version }
      try Task.checkCancellation()
    }
    let unreadable = try await onDisk { try exchange.blockedDocuments() }
    if !unreadable.isEmpty {
      throw SyncError.rejected(
        """
        The engine has something that is not a document under these names; it was left there, and the documents were \
        not sent: \(unreadable.joined(separator: ", ")).
        """)
    }
  }

  // MARK: Talking to the engine

  /// What one connection ends for.
  private enum Ending: Error {
    /// Everything is to be read again.
    case readAgain
  }

  private func run() async {
    var restarts = 0
    while !Task.isCancelled {
      let (call, start) = (calls.version, ContinuousClock.now)
      do {
        try await connect()
      } catch Ending.readAgain {
        mustRead = true
      } catch SyncError.compacted {
        mustRead = true
      } catch is DocumentExchange.IsElsewhere {
        // What the connection brings does not count.
      } catch {
        await rest(after: error, since: call)
        restarts = -1
      }
      // What was just read is not better a moment later, as where another process talks to another engine.
      restarts = start.duration(to: .now) < timing.patience ? restarts + 1 : 0
      if restarts > 1 { try? await Task.sleep(for: timing.pause(after: restarts - 1)) }
      firstRevision = nil
      refusedThrough = nil
    }
  }

  /// - Parameters:
  ///   - call: The last one before what failed was begun.
  ///   - count: How often in a row something could not be sent, if that is what has failed.
  private func rest(after error: any Error, since call: UInt64, afterSends count: Int = 0) async {
    if Task.isCancelled { return }
    let known = error as? SyncError
    lastError = known ?? .storage("\(error)")
    isDiskFailing = known == nil
    let isRefusal = known?.isRejected != false
    if isRefusal { refusal = (error, call) }
    var pause = timing.pause(after: max(failures, count - 1))
    if isDiskFailing, let readingStart {
      // A full disk is hardly better a moment later, and everything is read again then.
      pause = max(pause, min(.now - readingStart, timing.patience * 5))
    }
    failures += 1
    changes.advance()
    await withTaskGroup(of: Void.self) { [calls, pause] group in
      group.addTask { try? await Task.sleep(for: pause) }
      // What was refused may be taken now.
      if isRefusal { group.addTask { await calls.waiters.wait { calls.version != call } } }
      await group.next()
      group.cancelAll()
    }
  }

  private func answered() {
    failures = 0
    changes.advance()
  }

  private func connect() async throws {
    let exchange = exchange
    (met, hasRead, readingStart) = (nil, false, nil)
    try await onDisk { try exchange.bases.createDirectory() }
    let known = try await onDisk { exchange.index.position }
    if mustRead || known == nil || exchange.index.log.doubt != nil {
      readingStart = .now
      let snapshot = try await requests.read()
      let assets = try await onDisk { exchange.assets(in: snapshot) }
      try await fetch(try await onDisk { try exchange.missing(assets) })
      try await onDisk { try exchange.take(snapshot, askedFor: known) }
      (mustRead, hasRead, momentAfterReading) = (false, true, .max)
      readingStart = nil
      // It may be another engine.
      sendFailures = 0
      taken.formUnion(assets)
      answered()
    }
    exchange.sendRefusedAgain()
    let moment = try await onDisk { try exchange.scan() }
    momentAfterReading = min(momentAfterReading, moment)
    // A failure of one ends both.
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receive() }
      group.addTask { try await self.send() }
      group.addTask { try await self.cleanUp() }
      group.addTask { try await self.sendMissingAssets() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func receive() async throws {
    let exchange = exchange
    let failure = Mutex<(any Error)?>(nil)
    do {
      try await requests.follow(
        after: exchange.index.log.revision, known: { exchange.index.log.position }
      ) { message throws(SyncError) in
        do { try await self.take(message) } catch {
          failure.withLock { $0 = error }
          throw error as? SyncError ?? .storage("\(error)")
        }
      }
    } catch {
      throw failure.withLock { $0 } ?? error
    }
  }

  private func take(_ message: SyncMessage) async throws {
    let exchange = exchange
    switch message {
    case .opened(let position):
      let log = exchange.index.log
      guard try await onDisk({ exchange.isKnown(position) }) else { throw Ending.readAgain }
      met = SyncPosition(cluster: position.cluster, revision: log.revision)
      firstRevision = position.revision
      try await onDisk { exchange.noteOpened(through: position.revision) }
      // Where something is still to come, it is not known whether it comes now, and can be taken.
      let isLasting = isDiskFailing || failures > 0 && lastError?.isRejected == true
      if isLasting, log.revision < position.revision { return changes.advance() }
      // What is here is sent meanwhile.
      changes.advance()
      try await fetchTaken()
      answered()
    case .change(let change):
      guard let met else { throw DocumentExchange.IsElsewhere() }
      while true {
        let version = changes.version
        if try await !onDisk({ try exchange.mustWait(for: change) }) { break }
        await changes.waiters.wait { [changes] in changes.version != version }
        try Task.checkCancellation()
      }
      let (assets, missing) = try await onDisk {
        let assets = exchange.assets(in: change)
        return (assets, try exchange.missing(assets))
      }
      // What has replaced the document since may not name them any more, so that nobody has them.
      if !hasRead, change.revision < firstRevision ?? 0, try await !hasAll(missing),
        try await isReplaced(change)
      {
        throw Ending.readAgain
      }
      try await fetch(missing)
      try await onDisk { try exchange.take(change, after: met) }
      self.met = SyncPosition(
        cluster: met.cluster, revision: max(met.revision, change.revision))
      taken.formUnion(assets)
      try await fetchTaken()
      try checkRefused()
      answered()
    }
  }

  /// Fetches what was removed as unused before the documents that name it were written.
  private func fetchTaken() async throws {
    let (exchange, assets) = (exchange, taken)
    if assets.isEmpty { return }
    try await fetch(try await onDisk { try exchange.missing(assets) })
    taken.subtract(assets)
  }

  /// Whether something of a commit was changed since.
  private func isReplaced(_ change: SyncChange) async throws -> Bool {
    let keys = change.writes.filter { $0.value != nil && !$0.key.isOrigin }.keys
    let current = try await requests.current(of: keys)
    return keys.contains { current[$0]?.revision != change.revision }
  }

  /// Throws if changes were refused for others that should have come by now.
  private func checkRefused() throws {
    if exchange.lacksRefused(through: &refusedThrough) { throw Ending.readAgain }
  }

  private func send() async throws {
    let exchange = exchange
    while true {
      try Task.checkCancellation()
      let (version, count, call) = (changes.version, exchange.comparedCount, calls.version)
      // What is here was made from what one engine has: nothing is sent before it is known that this is the one.
      guard let met else {
        await changes.waiters.wait { [changes] in changes.version != version }
        continue
      }
      do {
        try await onDisk {
          try exchange.check(met)
          // Another process may have read everything, and found what the engine does not have.
          try exchange.scanFirst()
        }
        try await sendAll(met)
      } catch is DocumentExchange.IsBehind {
        throw Ending.readAgain
      } catch let error as DocumentExchange.IsElsewhere {
        throw error
      } catch let error where !(error is Ending) && (error as? SyncError)?.isRejected != false {
        try Task.checkCancellation()
        // What the others have changed comes nevertheless, as to a member that may only read; and where a file cannot be
        // read.
        sendFailures += 1
        sendError = error as? SyncError ?? .storage("\(error)")
        await rest(after: error, since: call, afterSends: sendFailures)
        continue
      }
      if sendFailures > 0 {
        sendFailures = 0
        changes.advance()
      }
      // What had failed may be done, as by another process, so that no further answer says so.
      if failures > 0, let firstRevision, exchange.index.log.revision >= firstRevision {
        answered()
      }
      // What was compared, and not changed, no longer waits.
      if exchange.comparedCount != count { changes.advance() }
      await changes.waiters.wait { [changes] in changes.version != version }
    }
  }

  /// After so many rejections in a row, what is rejected is not one document or another.
  private static let mostRejections = 16

  /// How many documents a commit has at most: an engine may take any number.
  private static func mostDocuments(of limits: SyncLimits) -> Int { min(limits.writes, 10_000) }

  private func sendAll(_ met: SyncPosition) async throws {
    let exchange = exchange
    try await askIfUnanswered()
    var (last, failed) = (rejected, rejected)
    var failure: (any Error)?
    var (count, rejections) = (batchCount, 0)
    while true {
      var batch: DocumentExchange.Batch?
      do {
        batch = try await onDisk { [failed, count] in
          // Another process may have read everything of another engine since the last one.
          try exchange.check(met)
          return try exchange.nextBatch(of: count, except: failed)
        }
      } catch let error as DocumentError {
        failure = error
      }
      guard let batch else {
        if last.isEmpty { break }
        failed.subtract(last)
        last = []
        continue
      }
      do {
        let missing = try await send(batch.assets.sorted())
        let sent = try await onDisk { try exchange.noteMissing(missing, for: batch) }
        exchange.noteAnswer(isMissing: true)
        // After a power cut, what is undone meanwhile must be known to be made from what was sent.
        async let isKnown: Void = onDisk { try exchange.index.makeDurable() }
        let result = try await requests.perform(batch.commit)
        try await isKnown
        if try await onDisk({ try exchange.take(result, for: sent) }) {
          refusedThrough = try await requests.position().revision
          try checkRefused()
        }
      } catch let error as DocumentError {
        // An asset that cannot be read holds up no other document.
        exchange.sendAgain(batch)
        failed.formUnion(batch.names)
        failure = error
        continue
      } catch SyncError.rejected(let text) {
        exchange.noteAnswer(isMissing: false)
        count = batch.names.count / 2
        if count == 0, batch.documents.allSatisfy(\.isUndone) {
          exchange.leave(batch)
          (count, rejected) = (1, rejected.subtracting(batch.names))
          continue
        }
        exchange.sendAgain(batch)
        if count > 0 { continue }
        // So does one that the engine does not take.
        failed.formUnion(batch.names)
        rejected.formUnion(batch.names)
        failure = SyncError.rejected("\(batch.names.joined(separator: ", ")): \(text)")
        (count, rejections) = (1, rejections + 1)
        if rejections < Self.mostRejections { continue } else { break }
      } catch {
        exchange.sendAgain(batch)
        if case SyncError.unreachable = error, !Task.isCancelled {
          batchCount = max(1, batch.names.count / 2)
        }
        throw error
      }
      rejected.subtract(batch.names)
      sendFailures = 0
      // Slowly, since each attempt in vain ends the connection.
      batchCount = min(batchCount + max(1, batchCount / 8), Self.mostDocuments(of: exchange.limits))
      (count, rejections) = (min(2 * count, batchCount), 0)
      answered()
    }
    if let failure { throw failure }
  }

  /// Asks the engine for an answer, if it may have commits from here that it has not answered.
  func askIfUnanswered() async throws {
    let exchange = exchange
    guard let question = try await onDisk({ try exchange.question() }) else { return }
    do {
      let answer = try await requests.perform(question)
      try await onDisk { try exchange.take(answer: answer) }
    } catch SyncError.rejected {
      exchange.noteAnswer(isMissing: false)
    }
    changes.advance()
  }

  func onDisk<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await exchange.onDisk(body)
  }
}

extension SyncKey {
  fileprivate var isOrigin: Bool { if case .origin = self { true } else { false } }
}
