#if Identity
import Foundation
import KeepsakeCoding
import KeepsakeIdentity
import KeepsakeSecrets
import KeepsakeTesting
import Testing

@Suite("A profile") struct ProfileTests {
  static let profile = UserProfile(
    givenName: "Kurt", familyName: "Cobain", email: "kurt@example.com")

  @Test("is kept with the first token, before there is an account") func first() async throws {
    let server = TestServer()
    let identity = try await server.signIn(profile: Self.profile)
    #expect(try server.verifier.accounts.user(of: identity) == nil)
    // The user cancels, the program ends; the provider does not send the profile again.
    let later = server.restarted()
    let again = try await later.signIn()
    #expect(try later.verifier.profiles.profile(of: again.subject) == Self.profile)
    #expect(try later.verifier.profiles.newerProfile(of: again.subject) == nil)
  }

  @Test("is not replaced by a second one, which is kept beside it") func second() async throws {
    let server = TestServer()
    let profiles = server.verifier.profiles
    try await server.signIn(profile: Self.profile)
    try await server.signIn(profile: Self.profile)
    #expect(try profiles.newerProfile(of: server.subject) == nil)
    try await server.signIn(profile: UserProfile(givenName: "Curt", familyName: "Cobain"))
    #expect(try profiles.profile(of: server.subject) == Self.profile)
    let newer = try #require(try profiles.newerProfile(of: server.subject))
    #expect(newer.givenName == "Curt")
    #expect(newer.email == "kurt@example.com")
    try profiles.acceptNewerProfile(of: server.subject)
    #expect(try profiles.profile(of: server.subject) == newer)
    #expect(try profiles.newerProfile(of: server.subject) == nil)
    try profiles.acceptNewerProfile(of: server.subject)
    #expect(try profiles.profile(of: server.subject) == newer)
  }

  @Test("that is incomplete is completed by a later one") func completed() throws {
    let profiles = ProfileStore(.inMemory())
    let subject = VerifiedIdentity.Subject("1", of: .apple(team: "A"))
    try profiles.keep(UserProfile(email: "kurt@example.com"), of: subject)
    try profiles.keep(UserProfile(), of: subject)
    try profiles.keep(UserProfile(givenName: "Kurt"), of: subject)
    try profiles.keep(UserProfile(familyName: "Cobain", email: ""), of: subject)
    #expect(try profiles.profile(of: subject) == Self.profile)
    #expect(try profiles.newerProfile(of: subject) == nil)
  }

  @Test("that was never sent is an error that says what the user must do") func missing()
    async throws
  {
    let server = TestServer()
    let identity = try await server.signIn(profile: UserProfile())
    let error = #expect(throws: IdentityError.self) {
      try server.verifier.profiles.profile(of: identity.subject)
    }
    #expect(error?.code == .noProfile)
    #expect(error?.recoverySuggestion == "remove the app from the list")
    #expect("\(try #require(error))".contains("remove the app from the list"))
    let apple = #expect(throws: IdentityError.self) {
      try ProfileStore(.inMemory()).profile(
        of: VerifiedIdentity.Subject("1", of: .apple(team: "A")))
    }
    let advice = try #require(apple?.recoverySuggestion)
    for part in ["settings", "Apple ID", "remove this app", "sign in again"] {
      #expect(advice.contains(part))
    }
  }

  @Test("is not kept with a token that is refused, and is when only its nonce has expired")
  func refused() async throws {
    let server = TestServer()
    try await server.expectRefusal(.wrongAudience) { $0.claims["aud"] = "com.other.app" }
    let nonce = try server.verifier.issueNonce()
    server.clock.advance(by: 3600)
    let error = await #expect(throws: IdentityError.self) {
      try await server.verifier.verify(
        server.token(nonce).signed(), nonce: nonce.value, profile: Self.profile)
    }
    #expect(error?.code == .expiredNonce)
    #expect(try server.verifier.profiles.profile(of: server.subject) == Self.profile)
    // Once: afterwards anyone who obtained token and nonce could send one.
    let other = TestServer()
    let used = try other.verifier.issueNonce()
    let token = other.token(used) { $0.claims["exp"] = .number(JSON.Number("1e10")!) }.signed()
    _ = try await other.verifier.verify(token, nonce: used.value)
    other.clock.advance(by: 3600)
    try await other.expectRefusal(.usedNonce, of: token, used)
  }

  @Test("has the address of the token, if that contains one") func address() async throws {
    let server = TestServer()
    try await server.signIn(profile: UserProfile(givenName: "Kurt", email: "mary@example.com"))
    let stored = try server.verifier.profiles.profile(of: server.subject)
    #expect(stored == UserProfile(givenName: "Kurt", email: "kurt@example.com"))
    let other = TestServer()
    try await other.signIn(profile: Self.profile) { $0.claims["email"] = nil }
    #expect(try other.verifier.profiles.profile(of: other.subject) == Self.profile)
  }

  @Test("is one user's in one team") func subjects() async throws {
    let server = TestServer()
    try await server.signIn(profile: Self.profile)
    for subject in [
      VerifiedIdentity.Subject("someone else", of: server.provider),
      VerifiedIdentity.Subject(TestServer.subject, of: .apple(team: server.provider.team)),
    ] {
      #expect(throws: IdentityError.self) { try server.verifier.profiles.profile(of: subject) }
    }
  }

  @Test("is not in the clear on the disk, and can be removed") func privacy() async throws {
    let server = TestServer()
    try await server.signIn(profile: Self.profile)
    let text = String(decoding: server.disk.bytes(at: TestServer.path) ?? [], as: UTF8.self)
    #expect(text.contains("identity.profile."))
    for part in ["Kurt", "Cobain", "kurt@example.com", TestServer.subject] {
      #expect(!text.contains(part))
    }
    try server.verifier.profiles.remove(server.subject)
    #expect(throws: IdentityError.self) {
      try server.verifier.profiles.profile(of: server.subject)
    }
  }

  @Test("is kept on a client in place of one value after the other (B10)") func client() throws {
    // The parts of ASAuthorizationAppleIDCredential that a client keeps.
    struct Credential {
      var user: String
      var fullName: PersonNameComponents?
      var email: String?
    }
    let disk = SimulatedDisk()
    func receive(_ credential: Credential) throws -> UserProfile {
      let profiles = ProfileStore(TestServer.secrets(on: disk))
      let user = VerifiedIdentity.Subject(credential.user, of: .apple(team: "A1B2C3D4E5"))
      try profiles.keep(
        UserProfile(
          givenName: credential.fullName?.givenName, familyName: credential.fullName?.familyName,
          email: credential.email),
        of: user)
      return try profiles.profile(of: user)
    }
    var name = PersonNameComponents()
    name.givenName = "Kurt"
    name.familyName = "Cobain"
    let first = Credential(user: "001234.kurt", fullName: name, email: "kurt@example.com")
    #expect(try receive(first) == Self.profile)
    #expect(try receive(Credential(user: "001234.kurt")) == Self.profile)
    // The system returns components without a name.
    #expect(
      try receive(Credential(user: "001234.kurt", fullName: PersonNameComponents()))
        == Self.profile)
    let error = #expect(throws: IdentityError.self) { try receive(Credential(user: "other")) }
    #expect(error?.code == .noProfile)
  }

  @Test("is read from the JSON of a callback (B09)") func json() throws {
    let text =
      #"{"name": {"firstName": "Kurt", "lastName": "Cobain"}, "email": "kurt@example.com"}"#
    #expect(try UserProfile(json: text) == Self.profile)
    #expect(
      try UserProfile(json: #"{"name": {"firstName": "Kurt"}}"#) == UserProfile(givenName: "Kurt"))
    #expect(try UserProfile(json: "{}") == UserProfile())
    let long = String(repeating: "a", count: 1001)
    let nested = String(repeating: #"{"name":"#, count: 1000)
    for text in [
      "", "null", "[]", "a", #"{"name": 1}"#, #"{"email": ["kurt@example.com"]}"#, nested,
      #"{"email": "\#(long)"}"#, #"{"a": "\#(String(repeating: "a", count: 20000))"}"#,
    ] {
      let error = #expect(throws: IdentityError.self) { try UserProfile(json: text) }
      #expect(error?.code == .malformedProfile)
    }
  }

  @Test("that is too long is refused before the token is used") func long() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce).signed()
    let error = await #expect(throws: IdentityError.self) {
      try await server.verifier.verify(
        token, nonce: nonce.value,
        profile: UserProfile(givenName: String(repeating: "a", count: 1_000_000)))
    }
    #expect(error?.code == .malformedProfile)
    _ = try await server.verifier.verify(token, nonce: nonce.value, profile: Self.profile)
  }
}
#endif
