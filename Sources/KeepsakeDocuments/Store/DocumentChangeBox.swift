import KeepsakeBase

/// The changes that a loop has not taken yet.
final class DocumentChangeBox<ID: DocumentID>: Sendable, ChangeCursor {
  private struct State {
    var order: [ID] = []
    var changes: [ID: DocumentChange<ID>] = [:]
  }

  private let state = Mutex(State())
  let waiters = Waiters()

  var hasChanged: Bool { state.withLock { !$0.order.isEmpty } }

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
    waiters.resumeAll()
  }

  func next() -> DocumentChange<ID>? {
    state.withLock { state in
      if state.order.isEmpty { return nil }
      return state.changes.removeValue(forKey: state.order.removeFirst())
    }
  }
}
