#if Identity
import Foundation
import KeepsakeCoding
import KeepsakeIdentity
import Testing

@Suite("A verifier of identities") struct IdentityVerifierTests {
  @Test("returns what a token of the provider says") func valid() async throws {
    let server = TestServer()
    let identity = try await server.signIn()
    #expect(identity.subject == server.subject)
    #expect(identity.audience == TestServer.audience)
    #expect(identity.verifiedEmail?.address == "kurt@example.com")
    #expect(identity.verifiedEmail?.isPrivateRelay == false)
    #expect(identity.issuedAt == server.clock.now)
    #expect(identity.expires == server.clock.now + 600)
  }

  @Test("has Apple's issuer, keys and algorithm built in") func apple() {
    let provider = IdentityProvider.apple(team: "A1B2C3D4E5")
    #expect(provider.issuer == "https://appleid.apple.com")
    #expect(provider.keySetURL.absoluteString == "https://appleid.apple.com/auth/keys")
    #expect(provider.algorithms == [.rs256])
    #expect(provider.team == "A1B2C3D4E5")
  }

  @Test("refuses a token for another app") func audience() async throws {
    let server = TestServer(audiences: [TestServer.audience, "com.example.web"])
    try await server.expectRefusal(.wrongAudience) { $0.claims["aud"] = "com.other.app" }
    try await server.expectRefusal(.wrongAudience) { $0.claims["aud"] = [] }
    try await server.expectRefusal(.wrongAudience) { $0.claims["aud"] = "" }
    // A token for this app and another one is not for this app alone.
    try await server.expectRefusal(.wrongAudience) {
      $0.claims["aud"] = ["com.example.app", "com.other.app"]
    }
    let identity = try await server.signIn { $0.claims["aud"] = ["com.example.web"] }
    #expect(identity.audience == "com.example.web")
  }

  @Test("compares audiences, issuers and keys by their bytes") func bytes() async throws {
    // As strings, the sign of the kelvin is equal to the letter K.
    let server = TestServer(
      source: KeySetSource(TestKeys.keySet(TestKeys.json(id: "K"))), audiences: ["com.example.K"])
    func valid(_ token: inout TestToken) {
      token.header["kid"] = "K"
      token.claims["aud"] = "com.example.K"
    }
    try await server.signIn(valid)
    let other = TestServer(
      source: KeySetSource(TestKeys.keySet(TestKeys.json(id: "K"))), audiences: ["com.example.K"])
    try await other.expectRefusal(.wrongAudience) {
      valid(&$0)
      $0.claims["aud"] = "com.example.\u{212a}"
    }
    try await other.expectRefusal(.unknownKey) {
      valid(&$0)
      $0.header["kid"] = "\u{212a}"
    }
  }

  @Test("refuses a token of another issuer") func issuer() async throws {
    let server = TestServer()
    try await server.expectRefusal(.wrongIssuer) { $0.claims["iss"] = "https://other.example" }
    try await server.expectRefusal(.wrongIssuer) { $0.claims["iss"] = "https://provider.example/" }
    try await server.expectRefusal(.wrongIssuer) { $0.claims["iss"] = "" }
  }

  @Test("refuses an expired token, and allows clocks to differ by a minute") func expiry()
    async throws
  {
    let server = TestServer()
    let now = server.clock.now.timeIntervalSince1970
    func claims(_ name: String, _ time: Double) -> (inout TestToken) -> Void {
      { $0.claims[name] = .number(JSON.Number(time)!) }
    }
    try await server.expectRefusal(.expired, claims("exp", now - 60))
    try await server.expectRefusal(.expired, claims("exp", 0))
    try await server.expectRefusal(.expired, claims("exp", -1e300))
    try await server.expectRefusal(.notYetValid, claims("iat", now + 61))
    try await server.expectRefusal(.notYetValid, claims("nbf", now + 61))
    try await server.signIn(claims("exp", now - 59))
    try await server.signIn(claims("iat", now + 60))
    try await server.signIn(claims("nbf", now + 60))
    try await server.signIn(claims("exp", now + 0.5))
  }

  @Test("allows clocks to differ by at most five minutes") func skew() async throws {
    var limits = IdentityLimits()
    limits.clockSkew = .seconds(1_000_000)
    let server = TestServer(limits: limits)
    let now = Int(server.clock.now.timeIntervalSince1970)
    try await server.expectRefusal(.expired) {
      $0.claims["exp"] = .number(JSON.Number(now - 300))
    }
    try await server.signIn { $0.claims["exp"] = .number(JSON.Number(now - 299)) }
  }

  @Test("refuses a token without a subject, or with one that is too long") func subject()
    async throws
  {
    let server = TestServer()
    try await server.expectRefusal(.malformedToken) { $0.claims["sub"] = "" }
    try await server.expectRefusal(.malformedToken) {
      $0.claims["sub"] = .string(String(repeating: "a", count: 256))
    }
  }

  @Test(
    "takes an address only if the token says that it was verified",
    arguments: [
      (true, true), ("true", true), (false, false), ("false", false), ("TRUE", false), (1, false),
      (nil, false), (["true"], false), ("yes", false),
    ] as [(JSON.Value?, Bool)])
  func verifiedEmail(_ claim: JSON.Value?, _ isVerified: Bool) async throws {
    let identity = try await TestServer().signIn { $0.claims["email_verified"] = claim }
    #expect((identity.verifiedEmail != nil) == isVerified)
  }

  @Test("says whether the provider forwards what is sent to an address") func privateRelay()
    async throws
  {
    for value in [true, "true"] as [JSON.Value] {
      let identity = try await TestServer().signIn { $0.claims["is_private_email"] = value }
      #expect(identity.verifiedEmail?.isPrivateRelay == true)
    }
  }

  @Test("distinguishes the users of two teams and of two providers") func subjects() {
    let provider = IdentityProvider.apple(team: "A")
    var other = provider
    other.issuer = "https://other.example"
    let subjects = [
      VerifiedIdentity.Subject("1", of: provider),
      VerifiedIdentity.Subject("1", of: .apple(team: "B")),
      VerifiedIdentity.Subject("1", of: other),
      VerifiedIdentity.Subject("2", of: provider),
      VerifiedIdentity.Subject("1", of: .apple(team: "A1")),
      VerifiedIdentity.Subject("11", of: .apple(team: "A")),
      VerifiedIdentity.Subject("\u{e9}", of: provider),
      VerifiedIdentity.Subject("e\u{301}", of: provider),
    ]
    #expect(Set(subjects).count == subjects.count)
  }
}
#endif
