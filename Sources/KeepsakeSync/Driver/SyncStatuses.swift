import KeepsakeBase

/// How far a machine agrees with an engine, until the task is canceled or what it shares is released.
struct SyncStatuses<Content: SharedContent>: AsyncSequence, Sendable {
  let member: SyncMember<Content>?

  func makeAsyncIterator() -> Iterator { Iterator(member: member) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let member: SyncMember<Content>?
    private var last: SyncStatus?

    fileprivate init(member: SyncMember<Content>?) {
      self.member = member
    }

    mutating func next(isolation: isolated (any Actor)?) async -> SyncStatus? {
      guard let member else { return nil }
      while !Task.isCancelled {
        let version = member.changes.version
        guard let status = await member.status else { return nil }
        if status != last {
          last = status
          return status
        }
        await member.changes.waiters.wait(isolation: isolation) {
          member.changes.version != version
        }
      }
      return nil
    }
  }
}
