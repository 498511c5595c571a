import KeepsakeBase

/// The changes that somebody was not told of yet.
final class DocumentChangeBox<ID: DocumentID>: Sendable {
  private struct State {
    var order: [ID] = []
    var changes: [ID: DocumentChange<ID>] = [:]
  }

  private let state = Mutex(State())
  let signal = ChangeSignal()

  func put(_ changes: [DocumentChange<ID>]) {
    state.withLock { state in
      for change in changes {
        if let earlier = state.changes[change.id] {
          state.changes[change.id] = earlier.followed(by: change)
        } else {
          state.order.append(change.id)
          state.changes[change.id] = change
        }
      }
    }
    signal.advance()
  }

  func take() -> DocumentChange<ID>? {
    state.withLock { state in
      if state.order.isEmpty { return nil }
      return state.changes.removeValue(forKey: state.order.removeFirst())
    }
  }
}
