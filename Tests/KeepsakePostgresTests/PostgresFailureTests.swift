#if Postgres
import Testing

@testable import KeepsakePostgres

@Suite("Why a connection to PostgreSQL was not made")
struct PostgresFailureTests {
  private let refused = """
    connection to server at "a" (10.0.0.1), port 5432 failed: FATAL:  28000: no entry for the host
    LOCATION:  ClientAuthentication, auth.c:543
    """
  private let readOnly =
    #"connection to server at "b" (10.0.0.2), port 5432 failed: session is read-only"#
  private let unreachable = """
    connection to server at "c" (10.0.0.3), port 5432 failed: Connection refused
    \tIs the server running on that host and accepting TCP/IP connections?
    """

  @Test("What the server says is known by its code, and where it was said is left out")
  func code() {
    guard case .refused("28000", let text) = PostgresFailure.connecting(refused) else {
      Issue.record("It is not refused.")
      return
    }
    #expect(text.hasSuffix("FATAL: no entry for the host"))
  }

  @Test("Of several hosts, none is refused while another one may take commits later")
  func severalHosts() {
    func isLost(_ texts: String...) -> Bool {
      if case .lost = PostgresFailure.connecting(texts.joined(separator: "\n")) {
        true
      } else {
        false
      }
    }
    #expect(isLost(unreachable) && isLost(readOnly) && isLost(unreachable, readOnly))
    #expect(isLost(unreachable, refused) && isLost(refused, unreachable))
    #expect(!isLost(refused) && !isLost(refused, readOnly) && !isLost(readOnly, refused))
  }

  @Test(
    "What stays as it is counts as rejected, and what only ended does not",
    arguments: [
      ("SSL error: certificate verify failed", true),
      ("private key file \"/k\" has group or world access", true),
      ("channel binding required, but not supported by server's authentication request", true),
      ("authentication method requirement \"scram-sha-256\" failed", true),
      ("SSL error: unexpected eof while reading", false),
      ("SSL SYSCALL error: EOF detected", false), ("timeout expired", false),
    ])
  func signs(text: String, isUnusable: Bool) {
    let message = "connection to server at \"a\" (10.0.0.1), port 5432 failed: \(text)"
    #expect(
      PostgresFailure.connecting(message) == (isUnusable ? .unusable(message) : .lost(message)))
  }

  @Test("What libpq does not take of a URI is rejected")
  func options() async throws {
    for option in ["sslmode=verify_full", "target_session_attrs=readwrite", "port=99999"] {
      let engine = try PostgresEngine("postgresql://127.0.0.1/a?\(option)", namespace: "a")
      await #expect {
        try await engine.position()
      } throws: {
        if case .rejected = $0 as? SyncError { true } else { false }
      }
    }
  }
}
#endif
