import KeepsakeBase
import KeepsakeSettings

/// Keeps what machines share in agreement with an engine, or watches another process do so.
///
/// Of the processes that have the same files open, the one that holds a lock talks to the engine. If the lock is held,
/// but changes stay where they are, as when its holder is stopped, this process does so as well: two that do are of no
/// harm, since an engine takes each change once.
actor SyncMember<Content: SharedContent> {
  private let content: Content
  private let engine: any SyncEngine
  private let requests: SyncRequests
  private let timing: SyncTiming
  /// Signaled when the status may have changed.
  nonisolated let changes = ChangeSignal()

  /// Nil once it has ended.
  private let tasks = Mutex<[Task<Void, Never>]?>([])
  private var driver: (any SyncDriving)?
  private var isEnded = false
  /// Until when this process talks to the engine although another one holds the lock.
  private var helpsUntil: ContinuousClock.Instant?
  private var helpPause: HelpPause<Content.Progress>
  /// How many calls wait for this process to have sent what they want to be sent.
  private var callCount = 0
  /// What the engine's last answer was to this process, where another one talks to it, and whether this machine lacked
  /// something of it, or it something of this machine.
  private var lastCheck:
    (result: Result<SyncPosition, SyncError>, progress: Content.Progress, isBehind: Bool)?
  /// Why this process was of no use when it last talked to the engine for another one, unless that did not answer.
  private var helpFailure: SyncError?
  /// Whether the engine was found to be the one that the other process has joined.
  private var hasMet = false

  init(_ content: Content, engine: any SyncEngine, timing: SyncTiming) {
    self.content = content
    self.engine = engine
    requests = SyncRequests(engine, timing: timing)
    self.timing = timing
    helpPause = HelpPause(period: timing.silence * 12)
  }

  /// Begins, until it is ended.
  ///
  /// - Parameters:
  ///   - changes: An element after each change of what is shared.
  ///   - lock: That of the process that talks to the engine.
  nonisolated func start(_ changes: ChangeSequence<AnyChangeCursor>, _ lock: SharingLock?) {
    let electing = Task { await elect(lock) }
    let following = Task {
      for await _ in changes {
        await storeChanged()
        // Each wait is work for the next change, and there may be many.
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    let isEnded = tasks.withLock { tasks in
      if tasks != nil { tasks = [electing, following] }
      return tasks == nil
    }
    // As when another call shares the same files at once.
    if isEnded { for task in [electing, following] { task.cancel() } }
  }

  nonisolated func end() {
    let ended = tasks.withLock { tasks in
      defer { tasks = nil }
      return tasks ?? []
    }
    for task in ended { task.cancel() }
    Task { await endDriver() }
  }

  private func endDriver() async {
    isEnded = true
    await driver?.end()
    changes.advance()
  }

  /// Talks to the engine once no other process does.
  private func elect(_ lock: SharingLock?) async {
    var nextLook = ContinuousClock.now
    while !Task.isCancelled {
      if lock?.acquire() ?? true {
        helpsUntil = nil
        await lead()
        // The lock is held until the task is canceled.
        while !Task.isCancelled {
          try? await Task.sleep(for: timing.silence)
          // Another process may have noted something without a value, such as damage, which signals nothing.
          await driver?.storeChanged()
        }
      }
      if helpsUntil != nil {
        let state = await driver?.status.state
        if let end = helpsUntil, end < .now, callCount == 0 {
          helpsUntil = nil
          // How far the machine got meanwhile is no sign of another process.
          lastCheck?.isBehind = false
          helpPause.noteEnd(.now, isBusy: state == .catchingUp)
          helpFailure = nil
          if case .offline(let error)? = state {
            if case .unreachable = error {} else { helpFailure = error }
          }
          // Who asks meanwhile needs another one.
          let driver = driver
          self.driver = nil
          await driver?.end()
        }
      } else if nextLook < .now {
        await checkProgress()
        nextLook = .now + timing.silence
      }
      try? await Task.sleep(for: min(timing.silence, .seconds(1)))
    }
  }

  private func lead() async {
    if driver != nil || isEnded { return }
    let driver = content.driver(for: engine, timing: timing, changes: changes)
    self.driver = driver
    await driver.start()
  }

  /// Does what the process that holds the lock does, for a while.
  private func help() async {
    helpsUntil = .now + helpPause.period
    await lead()
  }

  /// Checks whether changes come and go by another process.
  private func checkProgress() async {
    let before = lastCheck
    // What comes while the engine answers may be later than its answer.
    let progress = await content.progress(within: engine.limits)
    let result: Result<SyncPosition, SyncError>
    do throws(SyncError) {
      result = .success(try await requests.position())
    } catch {
      result = .failure(error)
    }
    // Who has given up is no engine that does not answer.
    if Task.isCancelled { return }
    var isBehind = false
    if case .success(let position) = result {
      hasMet = progress.isOf(position)
      isBehind =
        !hasMet || position.revision > progress.revision || !progress.isSent
        || !progress.hasJoined
    } else {
      hasMet = false
    }
    lastCheck = (result, progress, isBehind)
    changes.advance()
    guard isBehind else {
      if hasMet { helpFailure = nil }
      // One answer that is lost says nothing.
      if hasMet || (try? before?.result.get()) == nil { helpPause.reset() }
      return
    }
    guard let before, before.isBehind else { return }
    // Who talks to the engine moves its revision here, also with what is sent. What waits may be other changes each time.
    if !before.progress.isAsFar(as: progress) {
      if progress.isSent { helpFailure = nil }
      helpPause.noteProgress()
    } else if helpPause.begins(at: progress, .now) {
      await help()
    }
  }

  func storeChanged() async {
    if let driver { await driver.storeChanged() } else { changes.advance() }
  }

  /// Nil once it has ended.
  var status: SyncStatus? {
    get async {
      if isEnded { return nil }
      if let driver { return await driver.status }
      let progress = await content.progress(within: engine.limits)
      var status = SyncStatus(
        .catchingUp, waitingCount: progress.waitingCount, tooLarge: progress.tooLarge)
      switch lastCheck?.result {
      case .failure(let error): status.state = .offline(error)
      case .success(let position)
      where hasMet && position.cluster == progress.cluster && progress.hasJoined
        && status.waitingCount == 0 && progress.revision >= position.revision:
        status.state = .current
      default: if let helpFailure { status.state = .offline(helpFailure) }
      }
      return status
    }
  }

  /// Whether the engine is known, or answers now, to be the one that this machine has joined.
  var hasMetEngine: Bool {
    get async {
      if await driver?.hasMet ?? hasMet { return true }
      let progress = await content.progress(within: engine.limits)
      guard let position = try? await requests.position() else { return false }
      return progress.isOf(position)
    }
  }

  /// Waits until the engine has all changes that were made so far.
  ///
  /// - Throws: `SyncError` with `rejected` if the engine does not take something; `CancellationError`.
  func synchronize() async throws {
    try await sent(waits: true)
    guard let tooLarge = await status?.tooLarge, !tooLarge.isEmpty else { return }
    throw SyncError.rejected(engine.limits.reason(for: tooLarge))
  }

  /// Waits until the engine has all changes that were made so far, and that it takes.
  ///
  /// - Parameter waits: Whether this waits as long as the engine does not answer.
  func sent(waits: Bool) async throws {
    if driver == nil {
      if !hasMet { await checkProgress() }
      // Usually the other process has sent them at once.
      if hasMet, try await content.isSentByAnother(within: engine.limits) { return }
      try Task.checkCancellation()
      await help()
    }
    guard let driver else { throw CancellationError() }
    callCount += 1
    defer { callCount -= 1 }
    try await driver.sent(waits: waits)
  }
}
