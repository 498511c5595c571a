#if Postgres
import Dispatch

/// A connection to a database, which one task at a time uses.
///
/// What is under way when its task is canceled is abandoned, and the connection ends with it.
final class PostgresConnection: Sendable {
  private let link: PostgresLink
  /// Which of the hosts' addresses was tried first.
  let firstHost: Int

  private init(_ uri: ConnectionURI, firstHost: Int) {
    self.firstHost = firstHost
    link = PostgresLink(uri, firstHost: firstHost)
  }

  deinit { close() }

  /// - Parameter firstHost: Which of the URI's hosts is tried first.
  static func open(
    _ uri: ConnectionURI, firstHost: Int
  ) async throws(PostgresFailure) -> PostgresConnection {
    let connection = PostgresConnection(uri, firstHost: firstHost)
    let (link, answer) = (connection.link, Answer<Void>())
    // Not on a thread of the tasks: names are resolved there.
    link.queue.async { link.open(answer) }
    try await answer.value()
    return connection
  }

  /// Whether nothing has ended the connection so far.
  var isOpen: Bool { link.queue.sync { link.isOpen } }

  /// Whether the server takes no commits since it follows another one.
  var isStandby: Bool { link.queue.sync { link.isStandby } }

  /// Performs a statement with parameters, as a transaction of its own if none is under way.
  @discardableResult
  func perform(
    _ statement: String, _ parameters: PostgresParameter...
  ) async throws(PostgresFailure) -> PostgresResult {
    try await request { link, answer in link.send(statement, parameters, answer) }
  }

  /// Performs a statement that is performed often, and so is prepared the first time.
  func perform(
    often statement: String, _ parameters: PostgresParameter...
  ) async throws(PostgresFailure) -> PostgresResult {
    if !link.queue.sync(execute: { link.isPrepared(statement) }) {
      do throws(PostgresFailure) {
        _ = try await request { link, answer in link.prepare(statement, parameters, answer) }
      } catch {
        // It counts as prepared.
        close()
        throw error
      }
    }
    return try await request { link, answer in link.send(statement, parameters, answer) }
  }

  /// Performs statements without parameters.
  func perform(script: String) async throws(PostgresFailure) {
    _ = try await request { link, answer in link.send(script: script, answer) }
  }

  /// Waits for a notification, or for one that came since the last call.
  func awaitNotification() async throws(PostgresFailure) {
    _ = try await request { link, answer in link.awaitNotification(answer) }
  }

  /// Ends the connection, also if something is under way.
  func close() {
    let link = link
    link.queue.async { link.close() }
  }

  private func request<Value>(
    _ begin: (PostgresLink, Answer<Value>) -> Void
  ) async throws(PostgresFailure) -> Value {
    guard !Task.isCancelled else { throw .canceled }
    let answer = Answer<Value>()
    // Sending does not wait for the server, and so takes less time than to have another thread do it.
    link.queue.sync { begin(link, answer) }
    do throws(PostgresFailure) { return try await answer.value() } catch {
      if Task.isCancelled { close() }
      throw error
    }
  }
}
#endif
