/// Performs what a synchronizer asks for, with an engine and a disk.
package actor SyncDriver {
  private var synchronizer: Synchronizer
  private let engine: any SyncEngine
  private let timing: SyncTiming
  private let save: @Sendable (Replica) async throws -> Void
  private var tasks: [UInt64: Task<Void, Never>] = [:]
  private var saving: Task<Void, Never>?
  private var resting: Task<Void, Never>?
  private var failures = 0
  /// Whether there are changes that the saving under way does not include.
  private var isUnsaved = false
  private var isEnded = false
  /// When each connection last brought something.
  private var lastMessages: [UInt64: ContinuousClock.Instant] = [:]

  /// - Parameter save: Makes a replica durable: only then is what is in its outbox sent. It is tried again after
  ///   an error.
  package init(
    _ replica: Replica, engine: any SyncEngine, timing: SyncTiming = SyncTiming(),
    save: @escaping @Sendable (Replica) async throws -> Void
  ) {
    synchronizer = Synchronizer(replica, limits: engine.limits)
    self.engine = engine
    self.timing = timing
    self.save = save
  }

  package var status: SyncStatus { synchronizer.status }
  package var values: [[UInt8]: [UInt8]] { synchronizer.replica.values }

  /// Begins to follow the engine.
  package func start() {
    isUnsaved = true
    proceed()
  }

  /// Ends all requests; what waits stays in the replica that was saved last.
  package func end() {
    isEnded = true
    for task in tasks.values { task.cancel() }
    saving?.cancel()
    resting?.cancel()
  }

  /// Changes a value here; nil removes it.
  package func set(_ value: [UInt8]?, for key: [UInt8]) {
    synchronizer.set(value, for: key)
    isUnsaved = true
    proceed()
  }

  /// The keys whose values are different since the last call, and values that nothing else keeps any more.
  package func takeNews() -> (changed: Set<[UInt8]>, lost: [[UInt8]: [UInt8]]) {
    synchronizer.takeNews()
  }

  private func proceed() {
    guard !isEnded else { return }
    if isUnsaved, saving == nil { saveReplica() }
    // After a failure nothing is asked for a while.
    if resting == nil { perform(synchronizer.steps()) }
  }

  private func saveReplica() {
    let replica = synchronizer.replica
    isUnsaved = false
    saving = Task {
      do {
        try await save(replica)
        synchronizer.becameDurable(replica.outbox)
      } catch {
        isUnsaved = true
        try? await Task.sleep(for: timing.retry.upperBound)
      }
      saving = nil
      proceed()
    }
  }

  private func perform(_ steps: [SyncStep]) {
    for step in steps {
      switch step {
      case .cancel(let id): tasks.removeValue(forKey: id)?.cancel()
      case .read(let id):
        begin(id) { driver throws(SyncError) in
          let snapshot = try await driver.answer { engine throws(SyncError) in
            try await engine.read()
          }
          await driver.received(id) { $0.take(snapshot, id: id) }
        }
      case .commit(let id, let commit):
        begin(id) { driver throws(SyncError) in
          let result = try await driver.answer { engine throws(SyncError) in
            try await engine.perform(commit)
          }
          await driver.received(id) { $0.take(result, id: id) }
        }
      case .follow(let id, let revision):
        begin(id) { driver throws(SyncError) in try await driver.follow(id, after: revision) }
      }
    }
  }

  private func begin(
    _ id: UInt64, _ body: @escaping @Sendable (SyncDriver) async throws(SyncError) -> Void
  ) {
    tasks[id] = Task {
      do throws(SyncError) {
        try await body(self)
        finished(id)
      } catch {
        failed(id, error)
      }
    }
  }

  /// Takes an answer into the synchronizer.
  private func received(_ id: UInt64, _ take: (inout Synchronizer) -> Void) {
    guard tasks[id] != nil else { return }
    failures = 0
    take(&synchronizer)
    isUnsaved = true
  }

  private func finished(_ id: UInt64) {
    if tasks.removeValue(forKey: id) != nil { proceed() }
  }

  private func failed(_ id: UInt64, _ error: SyncError) {
    guard tasks.removeValue(forKey: id) != nil, !isEnded else { return }
    let steps = synchronizer.failed(id: id, isCompacted: error == .compacted)
    if error == .compacted { return perform(steps) }
    let longest = timing.retry.upperBound
    let delay = min(timing.retry.lowerBound * (1 << min(failures, 20)), longest)
    failures += 1
    resting?.cancel()
    resting = Task {
      // Not all at once, where many wait for the same engine.
      try? await Task.sleep(for: delay * Double.random(in: 0.5...1))
      guard !Task.isCancelled else { return }
      resting = nil
      proceed()
    }
  }

  /// The answer of the engine, or an error if it takes too long.
  private nonisolated func answer<Answer: Sendable>(
    _ ask: @escaping @Sendable (any SyncEngine) async throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    let (engine, limit) = (engine, timing.answer)
    let result: Result<Answer, SyncError> = await withTaskGroup(of: Result<Answer, SyncError>.self)
    { group in
      group.addTask {
        do throws(SyncError) { return .success(try await ask(engine)) } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .failure(.unreachable("There was no answer within \(limit)."))
      }
      defer { group.cancelAll() }
      return await group.next() ?? .failure(.unreachable("The request was canceled."))
    }
    return try result.get()
  }

  /// Follows the engine, and notices that it is gone, also if the connection stays open and silent.
  private nonisolated func follow(_ id: UInt64, after revision: UInt64) async throws(SyncError) {
    let engine = engine
    let result: Result<Void, SyncError> = await withTaskGroup(of: Result<Void, SyncError>.self) {
      group in
      group.addTask {
        do throws(SyncError) {
          return .success(try await engine.follow(after: revision) { await self.take($0, id) })
        } catch {
          return .failure(error)
        }
      }
      group.addTask { .failure(await self.silence(of: id)) }
      defer { group.cancelAll() }
      return await group.next() ?? .success(())
    }
    try result.get()
    throw .unreachable("The connection ended.")
  }

  /// Returns when the connection brings nothing, and the engine does not answer, or has what should have come.
  private func silence(of id: UInt64) async -> SyncError {
    lastMessages[id] = .now
    defer { lastMessages[id] = nil }
    while !Task.isCancelled {
      let last = lastMessages[id] ?? .now
      if last + timing.silence > .now {
        try? await Task.sleep(until: last + timing.silence)
        continue
      }
      do throws(SyncError) {
        let revision = try await answer { engine throws(SyncError) in try await engine.check() }
        if lastMessages[id] == last, revision > synchronizer.replica.revision {
          try? await Task.sleep(for: timing.answer)
          if lastMessages[id] == last {
            return .unreachable("The connection brings nothing of what the engine has.")
          }
        }
        if lastMessages[id] == last { lastMessages[id] = .now }
      } catch {
        return error
      }
    }
    return .unreachable("The connection was canceled.")
  }

  private func take(_ message: SyncMessage, _ id: UInt64) {
    guard tasks[id] != nil else { return }
    lastMessages[id] = .now
    failures = 0
    switch message {
    case .opened(let cluster, let revision, let lastCommit):
      perform(
        synchronizer.opened(cluster: cluster, revision: revision, lastCommit: lastCommit, id: id))
    case .change(let change):
      synchronizer.take(change, id: id)
    }
    isUnsaved = true
    proceed()
  }
}
