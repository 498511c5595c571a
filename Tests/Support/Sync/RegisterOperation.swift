/// One operation on a value that several processes share, with the times between which it took effect.
package struct RegisterOperation: Hashable, Sendable {
  /// What was done; nil is a value that does not exist.
  package enum Action: Hashable, Sendable {
    /// The value was read.
    case read(Int?)
    case write(Int?)
    /// The value was the first one, and became the second one.
    case replace(Int?, with: Int?)
    /// One was added to the value, or to zero; the sum is nil if it is not known.
    case increment(sum: Int?)
  }

  package var action: Action
  package var invoked: Int64
  /// Nil if the outcome is not known: it may have taken effect at any time since, or not at all.
  package var completed: Int64?

  package init(_ action: Action, invoked: Int64, completed: Int64?) {
    self.action = action
    self.invoked = invoked
    self.completed = completed
  }
}

extension RegisterOperation.Action {
  /// The value after this action; nil if it is not possible on the present one.
  package func result(on value: Int?) -> Int?? {
    switch self {
    case .read(let read): read == value ? .some(value) : nil
    case .write(let written): .some(written)
    case .replace(let old, let new): old == value ? .some(new) : nil
    case .increment(let sum):
      sum == nil || sum == (value ?? 0) + 1 ? .some((value ?? 0) + 1) : nil
    }
  }

  var isRead: Bool {
    if case .read = self { true } else { false }
  }
}
