#if Postgres
/// Why PostgreSQL or libpq did not do what it was asked for.
enum PostgresFailure: Error, Hashable {
  /// The server's answer is an error: its SQLSTATE, and what it says.
  case refused(state: String, text: String)
  /// There is no connection, or it ended, or what was made is not where it is to be.
  case lost(String)
  /// The server must not be used: its certificate, its version.
  case unusable(String)

  static let canceled = lost("The request was canceled.")
  static let readOnly = refused(state: "25006", text: "The server takes no commits any more.")

  /// Whether the same transaction may succeed when it is made again: it met another one, and was undone.
  var isCollision: Bool {
    if case .refused("40001" /* serialization_failure */, _) = self { return true }
    if case .refused("40P01" /* deadlock_detected */, _) = self { return true }
    return false
  }

  /// Whether the schema is not that which was found when the connection was made.
  var meansOtherSchema: Bool {
    guard case .refused(let state, _) = self else { return false }
    // No such schema, table, function, column, prepared statement; another type of a result.
    return ["3F000", "42P01", "42883", "42703", "26000", "0A000"].contains(state)
  }

  /// Whether only what the connection has prepared is of no use any more, as behind a pooler or after a change of a table:
  /// nothing was done.
  var meansStalePlan: Bool {
    guard case .refused(let state, _) = self else { return false }
    return ["26000" /* invalid_sql_statement_name */, "0A000" /* feature_not_supported */]
      .contains(state)
  }

  /// Whether the server takes no commits, or no longer.
  var meansReadOnly: Bool {
    if case .refused("25006" /* read_only_sql_transaction */, _) = self { true } else { false }
  }

  /// Why a connection was not made, to none of the hosts that were tried.
  ///
  /// libpq has only a text for that.
  static func connecting(_ message: String) -> PostgresFailure {
    var attempts: [String] = []
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      if attempts.isEmpty || line.hasPrefix("connection to server ") {
        attempts.append(String(line))
      } else {
        attempts[attempts.count - 1] += "\n\(line)"
      }
    }
    // A standby may answer while the host that takes commits does not.
    let failures = attempts.map(attempt).filter { !$0.text.contains("session is read-only") }
    let text = attempts.map { attempt($0).text }.joined(separator: " ")
    guard let last = failures.last, failures.allSatisfy({ !$0.isLost }) else { return .lost(text) }
    if case .refused(let state, _) = last { return .refused(state: state, text: text) }
    return .unusable(text)
  }

  private var isLost: Bool { if case .lost = self { true } else { false } }

  private var text: String {
    switch self {
    case .refused(_, let text), .lost(let text), .unusable(let text): text
    }
  }

  /// Why a host made no connection.
  ///
  /// - Parameter message: That of libpq, which names certificates, or that of the server: then the SQLSTATE is in it,
  ///   behind the severity, which may be in any language.
  private static func attempt(_ message: String) -> PostgresFailure {
    let lines = message.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
    var words = lines.joined(separator: "\n").split(separator: " ")
    var state: String?
    for index in words.indices.reversed() where index > 0 {
      let word = words[index]
      guard word.utf8.count == 6, word.hasSuffix(":"), word.first?.isNumber == true,
        words[index - 1].hasSuffix(":"),
        word.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        )
      else { continue }
      if state == nil { state = String(word.dropLast()) }
      words.remove(at: index)
    }
    let text = words.joined(separator: " ")
    if let state { return .refused(state: state, text: text) }
    // What ends a connection over TLS is "SSL SYSCALL error" or "SSL connection has been closed", with OpenSSL 3 and libpq
    // 18 this one.
    if text.contains("unexpected eof") { return .lost(text) }
    // Of an option that libpq does not have.
    if text.hasPrefix("invalid ") || text.hasPrefix("could not match ") { return .unusable(text) }
    let signs = [
      "certificate", "SSL error:", "does not support SSL", "no password supplied",
      "private key file", "channel binding", "authentication method",
    ]
    return signs.contains(where: text.contains) ? .unusable(text) : .lost(text)
  }
}
#endif
