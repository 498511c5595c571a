/// The position of one `for await` loop in a sequence of changes.
package protocol ChangeCursor<Element> {
  associatedtype Element

  /// The tasks that are resumed after the next change.
  var waiters: Waiters { get }

  /// Whether there was a change that ``next()`` has not seen.
  var hasChanged: Bool { get }

  /// The next element, or `nil` if no change has produced one yet.
  mutating func next() -> Element?
}

/// An asynchronous sequence of changes, which ends when the task is canceled.
package struct ChangeSequence<Cursor: ChangeCursor>: AsyncSequence, Sendable {
  private let makeCursor: @Sendable () -> Cursor

  /// - Parameter makeCursor: Returns the position at which a loop begins.
  package init(_ makeCursor: @escaping @Sendable () -> Cursor) { self.makeCursor = makeCursor }

  package func makeAsyncIterator() -> Iterator { Iterator(cursor: makeCursor()) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var cursor: Cursor

    /// The next element, or `nil` once the task is canceled.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Cursor.Element? {
      while !Task.isCancelled {
        if let element = cursor.next() { return element }
        await cursor.waiters.wait(isolation: actor) { cursor.hasChanged }
      }
      return nil
    }

    /// The next element, or `nil` once the task is canceled.
    package mutating func next() async -> Cursor.Element? { await next(isolation: #isolation) }
  }
}
