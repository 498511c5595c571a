import KeepsakeBase

/// What codings that are done leave for those to come.
///
/// A thread that finds a slot in use by another one goes on to the next: a coding may take a few
/// microseconds, and threads that wait for each other take longer. The pool has addresses of any
/// kind, for the runtime takes longer to make a generic class than to decode a small document.
final class IdlePool: Sendable {
  /// `@unchecked`: an element is used only by the caller that acquired it until it is released, and
  /// the pool itself uses none.
  private struct Slot: @unchecked Sendable {
    var elements: [UnsafeMutableRawPointer] = []
  }

  private let first = Mutex(Slot())
  private let second = Mutex(Slot())
  private let third = Mutex(Slot())
  private let last = Mutex(Slot())

  /// An idle element. There are never many more than there were codings at one time, for
  /// all slots are examined before another is made.
  func acquire() -> UnsafeMutableRawPointer? {
    if let element = first.withLockIfAvailable({ $0.elements.popLast() }) ?? nil { return element }
    if let element = second.withLockIfAvailable({ $0.elements.popLast() }) ?? nil { return element }
    if let element = third.withLockIfAvailable({ $0.elements.popLast() }) ?? nil { return element }
    return last.withLock { $0.elements.popLast() }
  }

  /// Ends the use of an element.
  func release(_ element: UnsafeMutableRawPointer) {
    if first.withLockIfAvailable({ $0.elements.append(element) }) != nil { return }
    if second.withLockIfAvailable({ $0.elements.append(element) }) != nil { return }
    if third.withLockIfAvailable({ $0.elements.append(element) }) != nil { return }
    last.withLock { $0.elements.append(element) }
  }
}
