#if Identity
import Foundation
import KeepsakeCoding
import KeepsakeIdentity
import Testing

@Suite("The key set of a provider", .timeLimit(.minutes(10))) struct KeySetTests {
  static let valid = TestKeys.keySet(TestKeys.json())

  @Test("is fetched once, and again when its time is over") func lifetime() async throws {
    let server = TestServer()
    for _ in 0..<3 { try await server.signIn() }
    #expect(server.source.fetchCount == 1)
    #expect(server.source.lastLimit == 256 * 1024)
    server.clock.advance(by: 3599)
    try await server.signIn()
    #expect(server.source.fetchCount == 1)
    server.clock.advance(by: 1)
    try await server.signIn()
    #expect(server.source.fetchCount == 2)
    // A key that the provider withdrew is no longer accepted.
    server.source.answer(TestKeys.keySet(TestKeys.json(TestKeys.otherRSA, id: "key-2")))
    server.clock.advance(by: 3600)
    try await server.expectRefusal(.unknownKey) { _ in }
  }

  @Test("is fetched again after the clock was set back") func clock() async throws {
    let server = TestServer()
    try await server.signIn()
    server.clock.advance(by: -10)
    try await server.signIn()
    #expect(server.source.fetchCount == 2)
  }

  @Test("is fetched once for an unknown key, and not again within a minute") func unknownKey()
    async throws
  {
    let server = TestServer()
    try await server.signIn()
    server.clock.advance(by: 60)
    for _ in 0..<20 {
      try await server.expectRefusal(.unknownKey) { $0.header["kid"] = "key-2" }
    }
    #expect(server.source.fetchCount == 2)
    // The provider changes its key.
    server.source.answer(
      TestKeys.keySet(TestKeys.json(), TestKeys.json(TestKeys.otherRSA, id: "key-2")))
    server.clock.advance(by: 59)
    try await server.expectRefusal(.unknownKey) { $0.header["kid"] = "key-2" }
    #expect(server.source.fetchCount == 2)
    server.clock.advance(by: 1)
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce) { $0.header["kid"] = "key-2" }
    _ = try await server.verifier.verify(token.signed(by: TestKeys.otherRSA), nonce: nonce.value)
    #expect(server.source.fetchCount == 3)
  }

  @Test("that cannot be fetched is an error that says so, and loses nothing") func offline()
    async throws
  {
    let server = TestServer(source: KeySetSource { throw KeySetSource.Offline() })
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce).signed()
    try await server.expectRefusal(.cannotVerifyNow, of: token, nonce)
    try await server.expectRefusal(.cannotVerifyNow, of: token, nonce)
    // Requests while it is offline cause one attempt a second.
    #expect(server.source.fetchCount == 1)
    server.clock.advance(by: 1)
    server.source.answer(Self.valid)
    _ = try await server.verifier.verify(
      token, nonce: nonce.value, profile: UserProfile(givenName: "Kurt"))
    #expect(try server.verifier.profiles.profile(of: server.subject).givenName == "Kurt")
  }

  @Test("stays in use while it cannot be fetched, as long as its time is not over") func stale()
    async throws
  {
    let server = TestServer()
    try await server.signIn()
    server.source.answer { throw KeySetSource.Offline() }
    server.clock.advance(by: 3000)
    let first = try server.verifier.issueNonce()
    // Nothing is known about another key.
    for _ in 0..<2 {
      let error = await #expect(throws: IdentityError.self) {
        try await server.verifier.verify(
          server.token(first) { $0.header["kid"] = "key-2" }.signed(), nonce: first.value)
      }
      #expect(error?.code == .cannotVerifyNow)
    }
    #expect(server.source.fetchCount == 2)
    try await server.signIn()
    server.clock.advance(by: 600)
    let nonce = try server.verifier.issueNonce()
    let error = await #expect(throws: IdentityError.self) {
      try await server.verifier.verify(server.token(nonce).signed(), nonce: nonce.value)
    }
    #expect(error?.code == .cannotVerifyNow)
    #expect(error?.cause is KeySetSource.Offline)
  }

  @Test("that never comes is an error in time, and few fetches wait for it") func endless()
    async throws
  {
    var limits = IdentityLimits()
    limits.keySetFetchTime = .milliseconds(20)
    let source = KeySetSource {
      // It cannot be canceled either.
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return Data()
    }
    let server = TestServer(source: source, limits: limits)
    for _ in 0..<10 {
      try await server.expectRefusal(.cannotVerifyNow) { _ in }
      server.clock.advance(by: 60)
    }
    #expect(source.fetchCount == 4)
  }

  @Test("is fetched once for all who wait for it") func together() async throws {
    let (gate, opened) = AsyncStream.makeStream(of: Void.self)
    let source = KeySetSource {
      for await _ in gate { break }
      return Data(Self.valid.utf8)
    }
    let server = TestServer(source: source)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { try await server.signIn() } }
      while source.fetchCount == 0 { await Task.yield() }
      opened.yield()
      opened.finish()
      try await group.waitForAll()
    }
    #expect(source.fetchCount == 1)
  }

  @Test("of 100 MB is refused without being read") func huge() async throws {
    let valid = Data(Self.valid.utf8)
    let limit = 256 * 1024
    for count in [100_000_000, limit + 1, limit] {
      let server = TestServer(
        source: KeySetSource { valid + Data(repeating: 0x20, count: count - valid.count) })
      if count > limit {
        try await server.expectRefusal(.unusableKeySet) { _ in }
      } else {
        try await server.signIn()
      }
    }
  }

  @Test(
    "that is not one is refused",
    arguments: [
      "", "not JSON", "<html></html>", "null", "[]", "{}", #"{"keys": {}}"#, #"{"keys": []}"#,
      #"{"keys": [1, null, {}]}"#, #"{"keys": [], "keys": []}"#,
      #"{"keys": [{"kty": "RSA", "kid": "key-1"}]}"#,
      #"{"keys": [{"kty": "RSA", "kid": "key-1", "n": "AQAB", "e": "AQAB"}]}"#,
      #"{"keys": [{"kty": "oct", "kid": "key-1", "k": "AAAA", "alg": "HS256"}]}"#,
      #"{"keys": "# + String(repeating: "[", count: 100_000),
    ])
  func notKeySet(_ text: String) async throws {
    let server = TestServer(source: KeySetSource(text))
    try await server.expectRefusal(.unusableKeySet) { _ in }
    // One that can be used replaces it.
    server.source.answer(Self.valid)
    server.clock.advance(by: 1)
    try await server.signIn()
  }

  @Test("is kept when what comes after it is not one") func keptKeySet() async throws {
    let server = TestServer()
    try await server.signIn()
    server.source.answer("<html></html>")
    server.clock.advance(by: 60)
    let nonce = try server.verifier.issueNonce()
    let error = await #expect(throws: IdentityError.self) {
      try await server.verifier.verify(
        server.token(nonce) { $0.header["kid"] = "key-2" }.signed(), nonce: nonce.value)
    }
    #expect(error?.code == .unusableKeySet)
    try await server.signIn()
    #expect(server.source.fetchCount == 2)
  }

  @Test("may contain keys that cannot be used") func otherKeys() async throws {
    let keySet = TestKeys.keySet(
      #"{"kty": "OKP", "crv": "X", "kid": "a", "alg": "unheard of"}"#, "1",
      #"{"kty": "RSA", "kid": 1}"#,
      TestKeys.json(TestKeys.otherRSA, id: "key-2")
        .replacing(#""use": "sig""#, with: #""use": "enc""#),
      TestKeys.json())
    let server = TestServer(source: KeySetSource(keySet))
    let nonce = try server.verifier.issueNonce()
    let encryption = server.token(nonce) { $0.header["kid"] = "key-2" }
    try await server.expectRefusal(
      .unknownKey, of: encryption.signed(by: TestKeys.otherRSA), nonce)
    try await server.signIn()
  }

  @Test("with two keys of one identifier lets neither be used") func repeated() async throws {
    for keys in [
      TestKeys.keySet(TestKeys.json(), TestKeys.json(TestKeys.otherRSA)),
      TestKeys.keySet(TestKeys.json(), TestKeys.json(), TestKeys.json()),
    ] {
      let server = TestServer(source: KeySetSource(keys))
      let nonce = try server.verifier.issueNonce()
      for key in [TestKeys.rsa, TestKeys.otherRSA] {
        try await server.expectRefusal(
          .unknownKey, of: server.token(nonce).signed(by: key), nonce)
      }
    }
  }

  @Test("is never one key for an identifier of another") func otherIdentifier() async throws {
    let keySet = TestKeys.keySet(
      TestKeys.json(), TestKeys.json(TestKeys.otherRSA, id: "key-2"))
    let server = TestServer(source: KeySetSource(keySet))
    try await server.expectRefusal(.wrongSignature) { $0.header["kid"] = "key-2" }
  }
}
#endif
