import KeepsakeBase

/// What codings that are done leave for those to come.
///
/// A thread that meets another one at a place goes on to the next: a coding may take a few
/// microseconds, and threads that wait for each other take longer.
final class IdlePool<Element>: Sendable {
  /// `@unchecked`: whoever takes an element out is the only one to use it until it is given back, and
  /// the pool itself uses none.
  private struct Place: @unchecked Sendable {
    var elements: [Element] = []
  }

  private let first = Mutex(Place())
  private let second = Mutex(Place())
  private let third = Mutex(Place())
  private let last = Mutex(Place())

  /// An element that nobody uses. There are never many more than there were codings at one time, for
  /// all places are looked at before another is made.
  func take() -> Element? {
    if let element = first.withLockIfAvailable({ $0.elements.popLast() }) ?? nil { return element }
    if let element = second.withLockIfAvailable({ $0.elements.popLast() }) ?? nil { return element }
    if let element = third.withLockIfAvailable({ $0.elements.popLast() }) ?? nil { return element }
    return last.withLock { $0.elements.popLast() }
  }

  /// Ends the use of an element.
  func giveBack(_ element: Element) {
    if first.withLockIfAvailable({ $0.elements.append(element) }) != nil { return }
    if second.withLockIfAvailable({ $0.elements.append(element) }) != nil { return }
    if third.withLockIfAvailable({ $0.elements.append(element) }) != nil { return }
    last.withLock { $0.elements.append(element) }
  }
}
