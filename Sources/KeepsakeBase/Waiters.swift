/// The tasks that wait for a change of something.
///
/// What changes is guarded by its owner. A task says how it knows that the change has come already,
/// and is asked after it counts as waiting, so that no change falls in between.
package final class Waiters: Sendable {
  private struct State {
    var continuations: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextToken: UInt64 = 0
  }

  private let state = Mutex(State())
  /// Whether a task may be waiting, for a waker that need not take the lock.
  private let isEmpty = Atomic<Bool>(true)

  package init() {}

  /// Resumes every task that waits.
  ///
  /// Called after the change, with no lock held. The change must be published with sequentially
  /// consistent order, or under a lock that the waiting task's condition takes.
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
  ///   - isolation: The caller's actor. Without it, an optimized build leaves that actor and comes back.
  ///   - hasChanged: Whether the change has come already; it may take the lock under which the change
  ///     is made.
  package func wait(
    isolation: isolated (any Actor)? = #isolation, unless hasChanged: () -> Bool
  ) async {
    let token = state.withLock { state in
      state.nextToken += 1
      return state.nextToken
    }
    await withTaskCancellationHandler {
      // A continuation goes on in the pool of threads, and from there to its actor. The main actor never
      // borrows a thread, so that the way to it can begin on the thread that resumes.
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

/// Has a task that is resumed find its actor on the thread that resumes it.
private final class ResumingThread: TaskExecutor {
  static let executor = ResumingThread()

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
