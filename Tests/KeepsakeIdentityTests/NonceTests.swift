#if Identity
import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSecrets
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeIdentity

@Suite("A nonce") struct NonceTests {
  @Test("is used once, also over a restart") func once() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce).signed()
    _ = try await server.verifier.verify(token, nonce: nonce.value)
    for server in [server, server.restarted()] {
      try await server.expectRefusal(.usedNonce, of: token, nonce)
      // Nor in another token.
      server.clock.advance(by: 1)
      try await server.expectRefusal(.usedNonce, of: server.token(nonce).signed(), nonce)
    }
  }

  @Test("that was issued before a restart is accepted after it") func restart() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    _ = try await server.restarted().verifier.verify(
      server.token(nonce).signed(), nonce: nonce.value)
  }

  @Test("is refused if it was not issued here") func foreign() async throws {
    let server = TestServer()
    let foreign = try TestServer().verifier.issueNonce()
    try await server.expectRefusal(.wrongNonce, of: server.token(foreign).signed(), foreign)
    for value in ["", "AAAA", foreign.value + "A", String(foreign.value.dropLast())] {
      let nonce = SignInNonce(value: value)
      try await server.expectRefusal(.wrongNonce, of: server.token(nonce).signed(), nonce)
    }
    // A later time in one that was issued here.
    let issued = try server.verifier.issueNonce()
    var bytes = try #require(Base64URL.bytes(of: issued.value.utf8))
    bytes[39] ^= 1
    let changed = SignInNonce(value: Base64URL.text(of: bytes))
    try await server.expectRefusal(.wrongNonce, of: server.token(changed).signed(), changed)
  }

  @Test("is refused if the token contains none, the value, or that of another session")
  func claims() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let other = try server.verifier.issueNonce()
    for claim in [nil, "", nonce.value, other.hash, nonce.hash.uppercased()] {
      let token = server.token(nonce) { $0.claims["nonce"] = claim.map { .string($0) } }
      try await server.expectRefusal(.wrongNonce, of: token.signed(), nonce)
    }
    // Someone else's token in a session of one's own.
    try await server.expectRefusal(.wrongNonce, of: server.token(nonce).signed(), other)
  }

  @Test("expires") func expiry() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let early = try server.verifier.issueNonce()
    server.clock.advance(by: 1799)
    _ = try await server.verifier.verify(server.token(early).signed(), nonce: early.value)
    server.clock.advance(by: 1)
    let error = await #expect(throws: IdentityError.self) {
      try await server.verifier.verify(server.token(nonce).signed(), nonce: nonce.value)
    }
    #expect(error?.code == .expiredNonce)
  }

  @Test("that was forgotten is not accepted when the clock is set back") func clock() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce).signed()
    _ = try await server.verifier.verify(token, nonce: nonce.value)
    server.clock.advance(by: 100_000)
    try await server.signIn()
    server.clock.advance(by: -99_999)
    try await server.expectRefusal(.usedNonce, of: token, nonce)
    // Others are accepted.
    try await server.signIn { $0.claims["sub"] = "someone else" }
  }

  @Test("that came from a request alone is not stored") func flood() async throws {
    let server = TestServer()
    _ = try server.verifier.issueNonce()
    let bytes = try #require(server.disk.bytes(at: TestServer.path))
    var values: Set<String> = []
    for _ in 0..<1000 { values.insert(try server.verifier.issueNonce().value) }
    #expect(values.count == 1000)
    #expect(server.disk.bytes(at: TestServer.path) == bytes)
  }

  @Test("that was used is forgotten after its time, and of many the oldest first") func bounds()
    throws
  {
    let secrets = SecretStore.inMemory()
    let clock = TestClock()
    var store = NonceStore(secrets: secrets, limits: IdentityLimits())
    store.capacity = 3
    func use(_ nonce: SignInNonce) throws -> IdentityError.Code? {
      do {
        let issued = try store.find(nonce.value, claim: nonce.hash)
        try secrets.transaction { try store.use(issued, at: clock.now, in: &$0) }
        return nil
      } catch let error as IdentityError {
        return error.code
      }
    }
    let old = try store.issue(at: clock.now)
    let nonces = try (0..<5).map { _ in
      clock.advance(by: 1)
      return try store.issue(at: clock.now)
    }
    for nonce in nonces { #expect(try use(nonce) == nil) }
    // The first two were forgotten, and so nothing as old as them is accepted.
    #expect(try use(nonces[0]) == .usedNonce)
    #expect(try use(old) == .usedNonce)
    #expect(try use(nonces[4]) == .usedNonce)
    #expect(try store.usedCount == 3)
    clock.advance(by: 100_000)
    #expect(try use(store.issue(at: clock.now)) == nil)
    #expect(try store.usedCount == 1)
  }

  @Test("P5: is used once by any number of processes") func processes() async throws {
    try await withTemporaryDirectory(isInMemory: true) { directory in
      let clock = TestClock()
      // Each store opens the file by itself, as another process does.
      let servers = (0..<4).map { _ in
        TestServer(
          clock: clock,
          secrets: SecretStore(
            file: directory.appending("secrets.json"), identifier: "com.example.app",
            key: .keyFile(directory.appending("key"))))
      }
      for _ in 0..<10 {
        let nonce = try servers[0].verifier.issueNonce()
        let token = servers[0].token(nonce).signed()
        let codes = await withTaskGroup(of: IdentityError.Code?.self) { group in
          for server in servers {
            for _ in 0..<2 {
              group.addTask {
                do throws(IdentityError) {
                  _ = try await server.verifier.verify(token, nonce: nonce.value)
                  return nil
                } catch {
                  return error.code
                }
              }
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == nil }.count == 1)
        #expect(codes.filter { $0 == .usedNonce }.count == codes.count - 1)
      }
    }
  }
}
#endif
