import KeepsakeBase

extension SyncRequests {
  /// Follows the engine, and notices that it is gone, also if the connection stays open and silent.
  ///
  /// - Parameter known: Returns which engine it is, and the revision up to which everything was received.
  func follow(
    after revision: UInt64, known: @escaping @Sendable () -> SyncPosition?,
    _ receive: @escaping @Sendable (SyncMessage) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    let last = LastMessage()
    let result: Result<Void, SyncError> = await withTaskGroup(of: Result<Void, SyncError>.self) {
      group in
      group.addTask {
        do throws(SyncError) {
          return .success(
            try await self.engine.follow(after: revision) { message throws(SyncError) in
              last.isOpen.store(true, ordering: .relaxed)
              if case .change = message { self.note(.zero, \.message) }
              last.time.withLock { $0 = nil }
              defer { last.time.withLock { $0 = .now } }
              try await receive(message)
            })
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        .failure(await self.silence(known: known, last))
      }
      defer { group.cancelAll() }
      return await group.next() ?? .success(())
    }
    try result.get()
    throw .unreachable("The connection ended.")
  }

  /// Returns when the connection brings nothing, and the engine does not answer, or has what should have come.
  private func silence(known: () -> SyncPosition?, _ message: LastMessage) async -> SyncError {
    func lastMessage() -> ContinuousClock.Instant? { message.time.withLock { $0 } }
    let start = ContinuousClock.now
    // When the engine was last found to have nothing that did not come.
    var lastCheck = start
    while !Task.isCancelled {
      // What takes a message may take long.
      let last = max(lastMessage() ?? .now, lastCheck)
      if last + timing.silence > .now {
        try? await Task.sleep(until: last + timing.silence)
        continue
      }
      do throws(SyncError) {
        // What came while the engine answers may be later than its answer.
        let isOpening = !message.isOpen.load(ordering: .relaxed)
        let (known, position) = (known(), try await position(isOpening: isOpening))
        let revision = known?.revision ?? 0
        // The connection may be open, and the engine that answers another one.
        if let known, known.cluster != position.cluster {
          return .unreachable("Another engine is in the place of the one that is followed.")
        }
        if position.engineRevision < revision {
          return .unreachable("The engine does not have everything that came from it.")
        }
        let isLate =
          !message.isOpen.load(ordering: .relaxed) && start + timing.patience < .now
        if (lastMessage() ?? .now) <= last, isLate || position.revision > revision {
          // What comes may be long, and the network slow, so that nothing would ever be known of it.
          let most = max(timing.patience, timing.transfer * engine.limits.length)
          let limit = self.limit(atLeast: timing.answer, atMost: most, \.message)
          try? await Task.sleep(for: limit)
          if (lastMessage() ?? .now) <= last, !Task.isCancelled {
            note(limit, \.message)
            return .unreachable("The connection brings nothing of what the engine has.")
          }
        } else if position.revision <= revision {
          note(.zero, \.message)
        }
        lastCheck = .now
      } catch {
        return error
      }
    }
    return .unreachable("The connection was canceled.")
  }
}

/// When a connection last brought something; nil while it is taken.
private final class LastMessage: Sendable {
  let isOpen = Atomic(false)
  let time = Mutex<ContinuousClock.Instant?>(.now)
}
