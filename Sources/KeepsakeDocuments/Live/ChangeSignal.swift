import KeepsakeBase

/// A number that grows, and those who wait until it has.
final class ChangeSignal: Sendable {
  private struct State {
    var version: UInt64 = 1
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiting = 0
  }

  private let state = Mutex(State())

  var version: UInt64 { state.withLock { $0.version } }

  /// Wakes all who wait; called with no lock held.
  func advance() {
    let waiting = state.withLock { state in
      state.version += 1
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  /// Waits until the version is another than the one given, or the task is cancelled.
  func wait(past seen: UInt64) async {
    let token = state.withLock { state in
      defer { state.nextWaiting += 1 }
      return state.nextWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || state.version != seen { return true }
          state.waiting[token] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: token) }?.resume()
    }
  }
}
