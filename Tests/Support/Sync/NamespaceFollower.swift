import KeepsakeBase
import KeepsakeSync

/// Follows a namespace while its engine has faults, and keeps all commits in the order in which they came.
final class NamespaceFollower: Sendable {
  private let engine: any SyncEngine
  private let received = Mutex<[SyncChange]>([])

  init(_ engine: any SyncEngine) {
    self.engine = engine
  }

  var changes: [SyncChange] { received.withLock { $0 } }

  private var revision: UInt64 { received.withLock { $0.last?.revision ?? 0 } }

  /// Follows until the task is canceled.
  func follow() async {
    while !Task.isCancelled {
      // Each connection ends soon: so there are many beginnings, and none that stays open when its node is gone.
      await Self.withLimit(.seconds(1)) { [self] in
        try? await engine.follow(after: revision) { message in
          if case .change(let change) = message { received.withLock { $0.append(change) } }
        }
      }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Waits until a revision was received.
  ///
  /// - Returns: Whether it was, within a minute.
  func reaches(_ revision: UInt64) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while self.revision < revision {
      if deadline < .now { return false }
      try await Task.sleep(for: .milliseconds(20))
    }
    return true
  }

  /// Follows from a revision on, once, up to another one.
  static func changes(
    of engine: any SyncEngine, after first: UInt64, through last: UInt64
  ) async throws -> [SyncChange] {
    let (changes, sink) = AsyncThrowingStream.makeStream(of: SyncChange.self)
    let following = Task {
      do {
        try await engine.follow(after: first) {
          if case .change(let change) = $0 { sink.yield(change) }
        }
        sink.finish()
      } catch {
        sink.finish(throwing: error)
      }
    }
    defer { following.cancel() }
    var all: [SyncChange] = []
    for try await change in changes {
      all.append(change)
      if change.revision >= last { break }
    }
    return all
  }

  private static func withLimit(
    _ limit: Duration, _ body: @escaping @Sendable () async -> Void
  ) async {
    await withTaskGroup { group in
      group.addTask { await body() }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }
}
