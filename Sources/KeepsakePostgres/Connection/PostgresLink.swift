#if Postgres
import CPostgres
import Dispatch
import KeepsakeBase

/// A connection of libpq, and what is under way on it.
///
/// `@unchecked Sendable`: all variables are used on `queue` alone, which runs one block at a time. Methods that use
/// them check that they run there; events of the socket are handled there.
final class PostgresLink: @unchecked Sendable {
  let queue = DispatchQueue(label: "KeepsakePostgres.PostgresLink")
  private let uri: ConnectionURI
  private let firstHost: Int
  private var handle: OpaquePointer?
  private var reading: SocketWatch?
  private var writing: SocketWatch?
  private var opening: Answer<Void>?
  private var request: Answer<PostgresResult>?
  private var results: [PostgresResult] = []
  /// Whether what was requested was made, and may be on no standby: an operator has ended the wait for one.
  private var isUnreplicated = false
  private var notification: Answer<Void>?
  private var isNotified = false
  /// The names of the statements that the server has prepared.
  private var prepared: [String: String] = [:]

  /// - Parameter firstHost: Which of the URI's hosts is tried first.
  init(_ uri: ConnectionURI, firstHost: Int) {
    (self.uri, self.firstHost) = (uri, firstHost)
  }

  /// Whether requests can be sent.
  var isOpen: Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    return handle.map { PQstatus($0) == CONNECTION_OK } ?? false
  }

  // MARK: Connecting

  /// Begins to connect. This may wait for the names of hosts to be resolved.
  func open(_ answer: Answer<Void>) {
    dispatchPrecondition(condition: .onQueue(queue))
    opening = answer
    handle = uri.withParameters(first: firstHost) { PQconnectStartParams($0, $1, 1) }
    guard let handle, PQstatus(handle) != CONNECTION_BAD else { return failOpening() }
    // With these the SQLSTATE is in the text of what prevents a connection.
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    // The pointer is valid where it is used: a warning is the server's, which libpq reads only when a method of this link
    // calls it. What libpq itself reports, also of a result that is older than the link, is not a warning.
    PQsetNoticeReceiver(
      handle,
      { link, notice in
        guard let link, let notice, meansUnreplicated(notice) else { return }
        Unmanaged<PostgresLink>.fromOpaque(link).takeUnretainedValue().isUnreplicated = true
      }, Unmanaged.passUnretained(self).toOpaque())
    awaitSocket(PGRES_POLLING_WRITING)
  }

  private func awaitSocket(_ status: PostgresPollingStatusType) {
    // Each time, since libpq may have another socket.
    reading = SocketWatch(
      status == PGRES_POLLING_READING ? .readable : .writable, of: PQsocket(handle), on: queue
    ) { [weak self] in self?.proceed() }
    if reading == nil { failOpening() }
  }

  private func proceed() {
    guard let handle, opening != nil else { return }
    reading = nil
    switch PQconnectPoll(handle) {
    case PGRES_POLLING_OK: finishOpening(handle)
    case PGRES_POLLING_FAILED: failOpening()
    case let status: awaitSocket(status)
    }
  }

  private func finishOpening(_ handle: OpaquePointer) {
    PQsetnonblocking(handle, 1)
    reading = SocketWatch(.readable, of: PQsocket(handle), on: queue) { [weak self] in
      self?.receive()
    }
    guard reading != nil else { return failOpening() }
    let version = PQserverVersion(handle)
    guard version >= 140000 else {
      return close(.unusable("PostgreSQL 14 or later is needed, and this is \(version / 10000)."))
    }
    if let encoding = PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }),
      encoding != "UTF8"
    {
      return close(.unusable("The database's encoding must be UTF8, and is \(encoding)."))
    }
    opening?.give(.success(()))
    opening = nil
  }

  private func failOpening() {
    if let handle, PQconnectionNeedsPassword(handle) != 0 {
      return close(.unusable(message))
    }
    close(.connecting(handle.map { String(cString: PQerrorMessage($0)) } ?? message))
  }

  /// Whether the server is a standby, as far as it has said so.
  var isStandby: Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let handle, let text = PQparameterStatus(handle, "in_hot_standby") else { return false }
    return String(cString: text) == "on"
  }

  // MARK: Requests

  func isPrepared(_ statement: String) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    return prepared[statement] != nil
  }

  /// Makes the server parse and plan a statement once for all times that it is sent.
  func prepare(
    _ statement: String, _ parameters: [PostgresParameter], _ answer: Answer<PostgresResult>
  ) {
    let name = "keepsake\(prepared.count)"
    prepared[statement] = name
    begin(answer) {
      PQsendPrepare($0, name, statement, Int32(parameters.count), parameters.map(\.type))
    }
  }

  /// Sends a statement with parameters.
  func send(
    _ statement: String, _ parameters: [PostgresParameter], _ answer: Answer<PostgresResult>
  ) {
    let name = prepared[statement]
    begin(answer) { handle in
      // One more byte, so that no parameter begins behind the end.
      let bytes = parameters.flatMap(\.bytes) + [0]
      return bytes.withUnsafeBytes { bytes in
        var offset = 0
        let values = parameters.map { parameter in
          defer { offset += parameter.bytes.count }
          return (bytes.baseAddress! + offset).assumingMemoryBound(to: CChar.self) as UnsafePointer?
        }
        let lengths = parameters.map { Int32($0.bytes.count) }
        let formats = parameters.map { _ in Int32(1) }
        if let name {
          return PQsendQueryPrepared(
            handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
        return PQsendQueryParams(
          handle, statement, Int32(parameters.count), parameters.map(\.type), values, lengths,
          formats, 1)
      }
    }
  }

  /// Sends statements without parameters, which are one transaction if they do not say otherwise.
  func send(script: String, _ answer: Answer<PostgresResult>) {
    begin(answer) { PQsendQuery($0, script) }
  }

  /// Waits for a notification, or for one that came since the last call.
  func awaitNotification(_ answer: Answer<Void>) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard isOpen else { return answer.give(.failure(.lost("The connection ended."))) }
    notification = answer
    passNotification()
  }

  /// Ends the connection, also if something is under way.
  func close(_ failure: PostgresFailure = .canceled) {
    dispatchPrecondition(condition: .onQueue(queue))
    (reading, writing) = (nil, nil)
    if let handle { PQfinish(handle) }
    handle = nil
    let failure = uri.redact(failure)
    opening?.give(.failure(failure))
    request?.give(.failure(failure))
    notification?.give(.failure(failure))
    (opening, request, notification, results) = (nil, nil, nil, [])
  }

  private func begin(_ answer: Answer<PostgresResult>, _ send: (OpaquePointer) -> Int32) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard isOpen, let handle else { return answer.give(.failure(.lost("The connection ended."))) }
    request = answer
    isUnreplicated = false
    guard send(handle) == 1 else { return close(.lost(message)) }
    flush()
  }

  private func flush() {
    guard let handle else { return }
    switch PQflush(handle) {
    case 0: writing = nil
    case 1 where writing == nil:
      writing = SocketWatch(.writable, of: PQsocket(handle), on: queue) { [weak self] in
        self?.flush()
      }
      if writing == nil { close(.lost("No more files can be opened.")) }
    case 1: break
    // What the server said before it ended the connection says why.
    default: receive()
    }
  }

  private func receive() {
    guard let handle else { return }
    let isAlive = PQconsumeInput(handle) == 1
    let message = message
    // Without a connection libpq does not wait for the rest.
    while request != nil, !isAlive || PQisBusy(handle) == 0 {
      guard let result = PQgetResult(handle) else {
        finishRequest()
        break
      }
      results.append(PostgresResult(result))
    }
    // Only now: libpq does not look behind an answer that was not taken, and no event comes for what it has.
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      isNotified = true
    }
    passNotification()
    if !isAlive || PQstatus(handle) != CONNECTION_OK { return close(.lost(message)) }
    if writing != nil { flush() }
  }

  private func finishRequest() {
    let (answer, results) = (request, results)
    (request, self.results) = (nil, [])
    if isUnreplicated {
      answer?.give(.failure(.lost("The server no longer waits for a standby to have the commit.")))
    } else if let failure = results.lazy.compactMap(\.failure).first {
      answer?.give(.failure(uri.redact(failure)))
    } else if let last = results.last {
      answer?.give(.success(last))
    } else {
      answer?.give(.failure(.lost("The connection ended.")))
    }
  }

  private func passNotification() {
    guard isNotified, let waiting = notification else { return }
    (isNotified, notification) = (false, nil)
    waiting.give(.success(()))
  }

  private var message: String {
    handle.map { oneLine(PQerrorMessage($0)) } ?? "There is no memory for a connection."
  }
}

/// Whether a message is the server's warning that a transaction, though made, may be on no standby.
///
/// Its text is in any language, and its SQLSTATE is that of others, too: it is known by the server's source file.
private func meansUnreplicated(_ notice: OpaquePointer) -> Bool {
  func field(_ name: Unicode.Scalar) -> String? {
    PQresultErrorField(notice, Int32(name.value)).map { String(cString: $0) }
  }
  return field("V") == "WARNING" && field("F") == "syncrep.c"
}
#endif
