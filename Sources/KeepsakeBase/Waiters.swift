/// The tasks that wait for a change.
///
/// The owner guards the value that changes. A task passes a condition that says whether the value
/// has already changed. It is evaluated after the task counts as waiting, so that no change is missed.
package final class Waiters: Sendable {
  private struct State {
    var continuations: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextToken: UInt64 = 0
  }

  private let state = Mutex(State())
  /// Whether no task is waiting, so that ``resumeAll()`` need not acquire the lock.
  private let isEmpty = Atomic<Bool>(true)

  package init() {}

  /// Resumes every waiting task.
  ///
  /// Call this after the change, with no lock held. The change must be published with sequentially
  /// consistent ordering, or under a lock that the waiting task's condition acquires.
  package func resumeAll() {
    if !isEmpty.load(ordering: .sequentiallyConsistent) { resumeWaiting() }
  }

  private func resumeWaiting() {
    let continuations = state.withLock { state in
      isEmpty.store(true, ordering: .sequentiallyConsistent)
      defer { state.continuations = [:] }
      return state.continuations
    }
    for continuation in continuations.values { continuation.resume() }
  }

  /// Waits for a change, or until the task is canceled.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Without it, an optimized build leaves that actor and returns.
  ///   - hasChanged: Whether the value has already changed; it may acquire the lock under which the
  ///     value is changed.
  package func wait(
    isolation: isolated (any Actor)? = #isolation, unless hasChanged: () -> Bool
  ) async {
    let token = state.withLock { state in
      state.nextToken += 1
      return state.nextToken
    }
    await withTaskCancellationHandler {
      // A continuation is enqueued on the thread pool first, and then on its actor. The main actor never
      // borrows a thread, so the thread that resumes the task can enqueue it there directly.
      if isolation === MainActor.shared {
        await withTaskExecutorPreference(ResumingThread.executor, isolation: isolation) {
          await suspend(token, isolation: isolation, unless: hasChanged)
        }
      } else {
        await suspend(token, isolation: isolation, unless: hasChanged)
      }
    } onCancel: {
      state.withLock { $0.continuations.removeValue(forKey: token) }?.resume()
    }
  }

  private func suspend(
    _ token: UInt64, isolation: isolated (any Actor)?, unless hasChanged: () -> Bool
  ) async {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let mustWait = state.withLock { state in
        isEmpty.store(false, ordering: .sequentiallyConsistent)
        if Task.isCancelled || hasChanged() { return false }
        state.continuations[token] = continuation
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }
}

/// Enqueues a resumed task on its actor from the thread that resumes it.
private final class ResumingThread: TaskExecutor {
  static let executor = ResumingThread()

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
