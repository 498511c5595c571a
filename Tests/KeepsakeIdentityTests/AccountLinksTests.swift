#if Identity
import Foundation
import KeepsakeCoding
import KeepsakeIdentity
import Testing

@Suite("Links of identities to accounts") struct AccountLinksTests {
  /// An app whose users have passwords or identities.
  struct App {
    let server: TestServer
    /// The addresses of the accounts that have a password.
    var addresses: [String: String] = ["mary": "mary@example.com"]

    /// The account of an identity; a new one for the first sign-in.
    func signIn(_ identity: VerifiedIdentity) throws -> String {
      let accounts = server.verifier.accounts
      return try (accounts.user(of: identity) ?? accounts.createAccount(for: identity)).account
    }

    /// The account whose address the provider verified for someone: only to ask for its password.
    func account(withEmail email: VerifiedIdentity.Email?) -> String? {
      email.flatMap { email in addresses.first { $0.value == email.address }?.key }
    }
  }

  @Test("give nobody an account whose address they sent with their own token") func attack()
    async throws
  {
    let app = App(server: TestServer())
    // Anita signs in as herself, and changes the address outside the token on the way to the server.
    let sent = try UserProfile(
      json: #"{"name": {"firstName": "Mary"}, "email": "mary@example.com"}"#)
    let anita = try await app.server.signIn(profile: sent) {
      $0.claims["sub"] = "anita"
      $0.claims["email"] = "anita@example.com"
    }
    #expect(try app.server.verifier.accounts.user(of: anita) == nil)
    #expect(try app.signIn(anita) != "mary")
    #expect(app.account(withEmail: anita.verifiedEmail) == nil)
    let stored = try app.server.verifier.profiles.profile(of: anita.subject)
    #expect(stored.email == "anita@example.com")

    // Neither helps an address that the provider did not verify.
    let unverified = try await app.server.signIn(profile: sent) {
      $0.claims["sub"] = "another"
      $0.claims["email"] = "mary@example.com"
      $0.claims["email_verified"] = false
    }
    #expect(app.account(withEmail: unverified.verifiedEmail) == nil)
    #expect(try app.signIn(unverified) != "mary")

    // Nor none at all.
    let silent = try await app.server.signIn(profile: sent) {
      $0.claims["sub"] = "third"
      $0.claims["email"] = nil
    }
    #expect(app.account(withEmail: silent.verifiedEmail) == nil)
    #expect(try app.signIn(silent) != "mary")
  }

  @Test("are made for a user who is signed in") func linking() async throws {
    let app = App(server: TestServer())
    let accounts = app.server.verifier.accounts
    let identity = try await app.server.signIn { $0.claims["email"] = "mary@example.com" }
    #expect(app.account(withEmail: identity.verifiedEmail) == "mary")
    #expect(try accounts.user(of: identity) == nil)
    // Mary enters her password.
    let mary = AccountLinks.User(authenticatedFor: "mary")
    try accounts.link(identity, to: mary)
    try accounts.link(identity, to: mary)
    let later = app.server.restarted()
    #expect(try await later.verifier.accounts.user(of: later.signIn()) == mary)
  }

  @Test("are not changed to another account") func elsewhere() async throws {
    let server = TestServer()
    let accounts = server.verifier.accounts
    let identity = try await server.signIn()
    let user = try accounts.createAccount(for: identity)
    let other = AccountLinks.User(authenticatedFor: "other")
    for attempt: () throws -> Void in [
      { try accounts.link(identity, to: other) },
      { _ = try accounts.createAccount(for: identity) },
      { try accounts.unlink(identity.subject, from: other) },
    ] {
      let error = #expect(throws: IdentityError.self, performing: attempt)
      #expect(error?.code == .linkedElsewhere)
      #expect(try accounts.user(of: identity) == user)
    }
    try accounts.unlink(identity.subject, from: user)
    #expect(try accounts.user(of: identity) == nil)
    try accounts.unlink(identity.subject, from: user)
    try accounts.link(identity, to: other)
    #expect(try accounts.user(of: identity) == other)
  }

  @Test("create accounts that no one has") func newAccounts() async throws {
    let server = TestServer()
    var accounts: Set<String> = []
    for number in 0..<20 {
      let identity = try await server.signIn { $0.claims["sub"] = "user \(number)" }
      accounts.insert(try server.verifier.accounts.createAccount(for: identity).account)
    }
    #expect(accounts.count == 20)
  }
}
#endif
