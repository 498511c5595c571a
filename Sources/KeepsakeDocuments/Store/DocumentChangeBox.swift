import KeepsakeBase
import KeepsakeFiles

/// The changes that a loop has not received yet.
final class DocumentChangeBox<ID: DocumentID>: Sendable, ChangeCursor {
  private struct State {
    /// The names of the documents' files: Swift's `==` does not distinguish all ids.
    var order: [String] = []
    var changes: [String: DocumentChange<ID>] = [:]
  }

  private let state = Mutex(State())
  let waiters = Waiters()

  var hasChanged: Bool { state.withLock { !$0.order.isEmpty } }

  func put(_ changes: [DocumentChange<ID>]) {
    state.withLock { state in
      for change in changes {
        let name = FileName(escaping: change.id.documentName).string
        if let earlier = state.changes[name] {
          state.changes[name] = earlier.followed(by: change)
        } else {
          state.order.append(name)
          state.changes[name] = change
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
