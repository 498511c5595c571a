/// The position of one loop among the changes of something.
package protocol ChangeCursor<Element> {
  associatedtype Element

  /// The tasks that wait for the next change, and are resumed after it.
  var waiters: Waiters { get }

  /// Whether something has changed that ``next()`` did not see.
  var hasChanged: Bool { get }

  /// The next element; `nil` where no change has brought one yet.
  mutating func next() -> Element?
}

/// What the changes of something bring to a loop, until its task is canceled.
package struct ChangeSequence<Cursor: ChangeCursor>: AsyncSequence, Sendable {
  private let makeCursor: @Sendable () -> Cursor

  /// - Parameter makeCursor: Gives each loop the position that it begins at.
  package init(_ makeCursor: @escaping @Sendable () -> Cursor) { self.makeCursor = makeCursor }

  package func makeAsyncIterator() -> Iterator { Iterator(cursor: makeCursor()) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var cursor: Cursor

    /// The next element; `nil` once the task is canceled.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Cursor.Element? {
      while !Task.isCancelled {
        if let element = cursor.next() { return element }
        await cursor.waiters.wait(isolation: actor) { cursor.hasChanged }
      }
      return nil
    }

    /// The next element; `nil` once the task is canceled.
    package mutating func next() async -> Cursor.Element? { await next(isolation: #isolation) }
  }
}
