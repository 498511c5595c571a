#if Postgres
import KeepsakeBase

/// Connections to one database that are used again.
final class PostgresPool: Sendable {
  private struct State {
    var idle: [PostgresConnection] = []
    /// How many connections there are, with those that are being made.
    var count = 0
    /// Which of the hosts is tried first.
    var firstHost = 0
  }

  /// One sends what was changed, one asks whether the server is there, and one reads; more would only wait for
  /// each other in the server.
  private static let limit = 4

  private let uri: ConnectionURI
  private let prepare: @Sendable (PostgresConnection) async throws(PostgresFailure) -> Void
  private let state = Mutex(State())
  private let waiters = Waiters()

  /// - Parameter prepare: What is done with each new connection before it is used.
  init(
    _ uri: ConnectionURI,
    prepare: @escaping @Sendable (PostgresConnection) async throws(PostgresFailure) -> Void
  ) {
    self.uri = uri
    self.prepare = prepare
  }

  deinit { for connection in state.withLock({ $0.idle }) { connection.close() } }

  /// A new connection that is not one of the pool's.
  func open() async throws(PostgresFailure) -> PostgresConnection {
    let host = state.withLock { $0.firstHost }
    do throws(PostgresFailure) {
      let connection = try await PostgresConnection.open(uri, firstHost: host)
      try await prepare(connection)
      return connection
    } catch {
      leave(host)
      throw error
    }
  }

  /// Has another host be tried first than one that does not answer.
  private func leave(_ host: Int) {
    state.withLock { if $0.firstHost == host { $0.firstHost &+= 1 } }
  }

  /// Uses a connection, and waits for one if all are in use.
  func withConnection<Result>(
    _ use: (PostgresConnection) async throws(PostgresFailure) -> Result
  ) async throws(PostgresFailure) -> Result {
    let connection = try await acquire()
    do throws(PostgresFailure) {
      let result = try await use(connection)
      release(connection)
      return result
    } catch {
      // After a statement that the server refused, the connection is as it was before. Another host may take commits.
      if case .refused = error, connection.isOpen, !error.meansOtherSchema, !error.meansReadOnly {
        release(connection)
      } else {
        if case .lost = error { leave(connection.firstHost) }
        discard(connection)
      }
      throw error
    }
  }

  private enum Step {
    case use(PostgresConnection)
    case open
    case wait
  }

  private func acquire() async throws(PostgresFailure) -> PostgresConnection {
    while !Task.isCancelled {
      switch nextStep() {
      case .use(let connection):
        if connection.isOpen { return connection }
        discard(connection)
      case .open:
        do throws(PostgresFailure) { return try await open() } catch {
          discard(nil)
          throw error
        }
      case .wait:
        await waiters.wait { state.withLock { !$0.idle.isEmpty || $0.count < Self.limit } }
      }
    }
    throw .canceled
  }

  private func nextStep() -> Step {
    state.withLock { state in
      if let connection = state.idle.popLast() { return .use(connection) }
      guard state.count < Self.limit else { return .wait }
      state.count += 1
      return .open
    }
  }

  private func release(_ connection: PostgresConnection) {
    state.withLock { $0.idle.append(connection) }
    waiters.resumeAll()
  }

  /// Ends a connection, and those that are idle: what ended it, or kept it silent, concerns them, too.
  private func discard(_ connection: PostgresConnection?) {
    connection?.close()
    let idle = state.withLock { state in
      let idle = state.idle
      state.idle = []
      state.count -= 1 + idle.count
      return idle
    }
    for connection in idle { connection.close() }
    waiters.resumeAll()
  }
}
#endif
