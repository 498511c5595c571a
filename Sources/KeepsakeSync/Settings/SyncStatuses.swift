import KeepsakeBase

/// How far settings agree with an engine, until the task is canceled or the settings are released.
struct SyncStatuses: AsyncSequence, Sendable {
  let sync: SettingsSync?

  func makeAsyncIterator() -> Iterator { Iterator(sync: sync) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let sync: SettingsSync?
    private var last: SyncStatus?

    fileprivate init(sync: SettingsSync?) {
      self.sync = sync
    }

    mutating func next(isolation: isolated (any Actor)?) async -> SyncStatus? {
      guard let sync else { return nil }
      while !Task.isCancelled {
        let version = sync.changes.version
        guard let status = await sync.status else { return nil }
        if status != last {
          last = status
          return status
        }
        await sync.changes.waiters.wait(isolation: isolation) { sync.changes.version != version }
      }
      return nil
    }
  }
}
