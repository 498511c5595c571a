package import KeepsakeBase
import KeepsakeSettings

/// Performs what a synchronizer asks for, with an engine and a store.
package actor SyncDriver: SyncDriving {
  private var synchronizer: Synchronizer
  private let store: any DurableSyncStore
  private let engine: any SyncEngine
  private let requests: SyncRequests
  private let timing: SyncTiming
  private var tasks: [UInt64: Task<Void, Never>] = [:]
  private var flushing: Task<Void, Never>?
  private var resting: Task<Void, Never>?
  private var failures = 0
  /// The last commit that changes something; and how many have failed since one was answered, though other requests may
  /// have been, why the last of these has, and how many calls there were when it was begun.
  private var commit: (id: UInt64?, failures: Int, error: SyncError?, call: Int) = (nil, 0, nil, 0)
  private var lastError: SyncError?
  /// How many calls waited for everything to be sent.
  private var callCount = 0
  /// What the engine has rejected last, and how many calls there were when that was begun.
  private var rejection: (error: SyncError, call: Int)?
  /// Whether the store could not take what came last.
  private var isStoreFailing = false
  /// Whether the store may have changes that no view has.
  private var isStoreChanged = true
  /// How many views were asked of the store, and how many of these the engine has.
  private var (viewsBegun, viewsSent): (UInt64, UInt64) = (0, 0)
  /// Whether the last view that was asked for is not known.
  private var hasFlushFailed = false
  /// The first view that was asked for after everything was read.
  private var viewAfterReading: UInt64 = 0
  private var isEnded = false

  /// Signaled when the status may have changed.
  package nonisolated let changes: ChangeSignal

  package init(
    _ store: any DurableSyncStore, engine: any SyncEngine, timing: SyncTiming = SyncTiming(),
    changes: ChangeSignal = ChangeSignal()
  ) {
    self.changes = changes
    synchronizer = Synchronizer(limits: engine.limits) { timing.day }
    self.store = store
    self.engine = engine
    requests = SyncRequests(engine, timing: timing)
    self.timing = timing
  }

  package var hasMet: Bool { synchronizer.isFollowing }

  package var status: SyncStatus {
    var status = synchronizer.status(of: store)
    let error = failures > 0 ? lastError : isRejected ? commit.error : nil
    if let error, !isOnlyRecordRejected { status.state = .offline(error) }
    return status
  }

  /// Whether the engine has rejected the last commit: other answers do not change that.
  private var isRejected: Bool { commit.error?.isRejected == true }

  /// Whether the engine has all changes, and does not take a record, as of a member that may only read.
  private var isOnlyRecordRejected: Bool {
    if failures > 0, lastError?.isRejected != true { return false }
    return synchronizer.status(of: store).state == .current
  }

  /// Begins to follow the engine.
  package func start() { proceed() }

  /// Ends all requests; what waits stays in the store.
  package func end() {
    isEnded = true
    for task in tasks.values { task.cancel() }
    flushing?.cancel()
    resting?.cancel()
    changes.advance()
  }

  /// Sends what was changed in the store, soon.
  package func storeChanged() {
    isStoreChanged = true
    proceed()
  }

  /// Waits until the engine has everything that the store has now.
  ///
  /// - Parameter waits: Whether this waits as long as the engine does not answer.
  /// - Throws: `rejected` if the engine does not take it; `unreachable`; `CancellationError`.
  package func sent(waits: Bool = true) async throws {
    let view = viewsBegun + 1
    callCount += 1
    let call = callCount
    tryAgain()
    storeChanged()
    while !hasMet || viewsSent < max(view, viewAfterReading) {
      if isEnded { throw CancellationError() }
      if failures > 0 || isRejected, isOnlyRecordRejected { return }
      if let rejection, rejection.call >= call { throw rejection.error }
      // One that was rejected before is reported once it is rejected again.
      let isGone = failures > 3 && lastError?.isRejected != true
      if !waits, isGone || commit.failures > 3 && commit.call >= call, let lastError {
        throw lastError
      }
      let version = changes.version
      await changes.waiters.wait { changes.version != version }
      try Task.checkCancellation()
    }
  }

  /// Ends the pause after a rejection, since what was rejected may be taken now.
  private func tryAgain() {
    guard lastError?.isRejected == true else { return }
    resting?.cancel()
    resting = nil
  }

  private func proceed() {
    defer { changes.advance() }
    // After a failure nothing is asked for a while.
    if isEnded || resting != nil { return }
    do {
      perform(try synchronizer.steps(of: store))
    } catch {
      lastError = .storage("The store cannot be written: \(error)")
      return rest()
    }
    // What had failed may be done, as by another process, so that no further answer says so.
    if failures > 0 || commit.failures > 0, !isStoreFailing, synchronizer.needsView,
      synchronizer.hasNothing(toSendOf: store.log),
      synchronizer.status(of: store).state == .current
    {
      (failures, commit.failures, commit.error) = (0, 0, nil)
    }
    guard flushing == nil, synchronizer.needsView, store.log.hasJoined else { return }
    if synchronizer.needsNewView {
      isStoreChanged = true
    } else if !hasFlushFailed {
      viewsSent = viewsBegun
    }
    guard isStoreChanged else { return }
    viewsBegun += 1
    isStoreChanged = false
    let view = store.view
    if synchronizer.hasNothing(toSendOf: view.log) {
      synchronizer.skipView()
      (viewsSent, hasFlushFailed) = (viewsBegun, false)
    } else if synchronizer.mayBeSentAtOnce(view) {
      hasFlushFailed = false
      synchronizer.send(view, isDurable: false)
      proceed()
    } else {
      flush()
    }
  }

  /// Flushes the store, then begins to send what it has.
  private func flush() {
    let readingCount = synchronizer.readingCount
    flushing = Task {
      do {
        let view = try await store.durableView()
        (flushing, hasFlushFailed) = (nil, false)
        let log = store.log
        if view.log.cluster == log.cluster, view.log.revision <= log.revision,
          readingCount == synchronizer.readingCount
        {
          synchronizer.send(view)
        } else {
          // It is of another engine, which has some of its changes, or of before everything was read again.
          (isStoreChanged, hasFlushFailed) = (true, true)
        }
        proceed()
      } catch {
        flushing = nil
        (isStoreChanged, hasFlushFailed) = (true, true)
        lastError = .storage("The store cannot be written: \(error)")
        rest()
      }
    }
  }

  private func perform(_ steps: [SyncStep]) {
    for step in steps {
      switch step {
      case .cancel(let id): tasks.removeValue(forKey: id)?.cancel()
      case .read(let id):
        begin(id) { driver throws(SyncError) in
          let snapshot = try await driver.requests.read()
          try await driver.received(id) { try $0.take(snapshot, id: id, into: $1) }
          await driver.readEverything()
        }
      case .commit(let id, let commit):
        if !commit.writes.isEmpty { self.commit.id = id }
        begin(id) { driver throws(SyncError) in
          let result = try await driver.requests.perform(commit)
          try await driver.received(id) { try $0.take(result, id: id, into: $1) }
        }
      case .follow(let id, let revision):
        begin(id) { driver throws(SyncError) in
          let store = driver.store
          try await driver.requests.follow(
            after: revision, known: { store.log.position }
          ) { message throws(SyncError) in try await driver.take(message, id) }
        }
      }
    }
  }

  private func readEverything() {
    // Values that only the store has are changes now.
    viewAfterReading = viewsBegun + 1
    // It may be another engine.
    (commit.failures, commit.error) = (0, nil)
    storeChanged()
  }

  private func begin(
    _ id: UInt64, _ body: @escaping @Sendable (SyncDriver) async throws(SyncError) -> Void
  ) {
    let call = callCount
    tasks[id] = Task {
      do throws(SyncError) {
        try await body(self)
        finished(id)
      } catch {
        failed(id, error, since: call)
      }
    }
  }

  /// Takes an answer into the synchronizer.
  private func received(
    _ id: UInt64, _ take: (inout Synchronizer, any DurableSyncStore) throws -> Void
  ) throws(SyncError) {
    guard tasks[id] != nil else { return }
    do { try take(&synchronizer, store) } catch let error as SyncError {
      throw error
    } catch {
      isStoreFailing = true
      throw .storage("The store cannot take what the engine has: \(error)")
    }
    (failures, isStoreFailing) = (0, false)
    if id == commit.id { (commit.failures, commit.error) = (0, nil) }
  }

  private func finished(_ id: UInt64) {
    if tasks.removeValue(forKey: id) != nil { proceed() }
  }

  /// - Parameter call: How many calls there were when the request was begun.
  private func failed(_ id: UInt64, _ error: SyncError, since call: Int) {
    guard tasks.removeValue(forKey: id) != nil, !isEnded else { return }
    guard let steps = synchronizer.failed(id: id, error, for: store) else { return proceed() }
    if error == .compacted { return perform(steps) }
    lastError = error
    if error.isRejected { rejection = (error, call) }
    if id == commit.id {
      let wasRejected = isRejected
      commit = (nil, commit.failures + 1, error, call)
      if isRejected != wasRejected { commit.failures = 1 }
      rest(afterCommits: commit.failures)
    } else {
      rest()
    }
    if call < callCount {
      tryAgain()
      proceed()
    }
  }

  /// - Parameter count: How many commits have failed in a row, if it is after one that has.
  private func rest(afterCommits count: Int = 0) {
    if isEnded { return }
    let pause = timing.pause(after: max(failures, count - 1))
    failures += 1
    changes.advance()
    resting?.cancel()
    resting = Task {
      try? await Task.sleep(for: pause)
      guard !Task.isCancelled else { return }
      resting = nil
      proceed()
    }
  }

  private func take(_ message: SyncMessage, _ id: UInt64) async throws(SyncError) {
    switch message {
    case .opened(let position):
      guard tasks[id] != nil else { return }
      // Where something is still to come, it is not known whether it comes now, and can be taken.
      let isLasting = isStoreFailing || lastError?.isRejected == true
      if !isLasting || store.log.revision >= position.revision { failures = 0 }
      let steps = synchronizer.opened(position, id: id, for: store)
      perform(steps)
    case .change(let change):
      while tasks[id] != nil, synchronizer.mustWait(for: change, in: store) {
        // Something else may be what must be answered.
        proceed()
        let version = changes.version
        await changes.waiters.wait { changes.version != version }
        if Task.isCancelled { throw .unreachable("The connection was canceled.") }
      }
      try received(id) { try $0.take(change, id: id, into: $1) }
    }
    proceed()
  }
}
