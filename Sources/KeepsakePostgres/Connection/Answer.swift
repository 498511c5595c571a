#if Postgres
import KeepsakeBase

/// What one task waits for, and what is given once.
final class Answer<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, PostgresFailure>

  private enum State {
    case none
    case awaited(CheckedContinuation<Result<Value, PostgresFailure>, Never>)
    case given(Result<Value, PostgresFailure>)
  }

  private let state = Mutex(State.none)

  /// Ends the wait; of several outcomes the first counts.
  func give(_ outcome: Result<Value, PostgresFailure>) {
    let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .none:
        state = .given(outcome)
        return nil
      case .awaited(let continuation):
        state = .given(outcome)
        return continuation
      case .given: return nil
      }
    }
    waiting?.resume(returning: outcome)
  }

  /// Waits until the outcome is given, or the task is canceled.
  func value() async throws(PostgresFailure) -> Value {
    let outcome: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome: Outcome? = state.withLock { state in
          if case .given(let outcome) = state { return outcome }
          state = .awaited(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      give(.failure(.canceled))
    }
    return try outcome.get()
  }
}
#endif
