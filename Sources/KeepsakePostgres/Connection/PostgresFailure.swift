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

  /// Whether the server takes no commits, or no longer.
  var meansReadOnly: Bool {
    if case .refused("25006" /* read_only_sql_transaction */, _) = self { true } else { false }
  }

  /// Why a connection was not made.
  ///
  /// libpq has only a text for that. It is that of libpq, which names certificates, or that of the server: then
  /// the SQLSTATE is in it, behind the severity, which may be in any language.
  static func connecting(_ message: String) -> PostgresFailure {
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
    // What ends a connection over TLS is "SSL SYSCALL error" or "SSL connection has been closed".
    for sign in ["certificate", "SSL error:", "does not support SSL", "no password supplied"]
    where text.contains(sign) {
      return .unusable(text)
    }
    return .lost(text)
  }
}
#endif
