#if Identity
import Crypto
import CryptoExtras
import Foundation
import KeepsakeCoding
import KeepsakeIdentity
import KeepsakeTestSupport
import Testing

@Suite("A hostile token") struct HostileTokenTests {
  @Test("is refused if the provider did not sign it") func forged() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce)
    try await server.expectRefusal(
      .wrongSignature, of: token.signed(by: TestKeys.otherRSA), nonce)
    // Claims that were changed afterwards.
    let parts = token.signed().split(separator: ".")
    var changed = token
    changed.claims["sub"] = "someone else"
    let claims = base64URL(Data(TestToken.text(changed.claims).utf8))
    for text in [
      "\(parts[0]).\(claims).\(parts[2])", "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(parts[1]).AAAA",
    ] {
      try await server.expectRefusal(.wrongSignature, of: text, nonce)
    }
    _ = try await server.verifier.verify(token.signed(), nonce: nonce.value)
  }

  @Test("is refused if it is not signed, in any spelling") func none() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    for name in ["none", "None", "NONE", "nOnE", ""] {
      let token = server.token(nonce) { $0.header["alg"] = .string(name) }
      let (header, claims) = (TestToken.text(token.header), TestToken.text(token.claims))
      let unsigned = TestToken.signed(header, claims) { _ in Data() }
      try await server.expectRefusal(.wrongAlgorithm, of: unsigned, nonce)
      try await server.expectRefusal(.wrongAlgorithm, of: token.signed(), nonce)
    }
  }

  @Test("is refused if it is authenticated with the public key as a shared secret") func hmac()
    async throws
  {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce) { $0.header["alg"] = "HS256" }
    let key = TestKeys.rsa.publicKey
    let modulus = try key.getKeyPrimitives().modulus
    for secret in [Data(key.pemRepresentation.utf8), key.derRepresentation, modulus] {
      let text = TestToken.signed(TestToken.text(token.header), TestToken.text(token.claims)) {
        Data(HMAC<SHA256>.authenticationCode(for: $0, using: SymmetricKey(data: secret)))
      }
      try await server.expectRefusal(.wrongAlgorithm, of: text, nonce)
    }
  }

  @Test("cannot choose another algorithm than the provider's") func algorithm() async throws {
    // The key set also has a key for another algorithm, whose private part someone may know.
    let keySet = TestKeys.keySet(
      TestKeys.json(), TestKeys.json(TestKeys.p256, id: "key-2"))
    let server = TestServer(source: KeySetSource(keySet))
    let nonce = try server.verifier.issueNonce()
    let elliptic = server.token(nonce) {
      $0.header["alg"] = "ES256"
      $0.header["kid"] = "key-2"
    }
    try await server.expectRefusal(.wrongAlgorithm, of: elliptic.signed(by: TestKeys.p256), nonce)
    for name in ["RS384", "RS512", "PS256", "ES384", "EdDSA", "rs256", "RS256 "] {
      try await server.expectRefusal(.wrongAlgorithm) { $0.header["alg"] = .string(name) }
    }
    // A provider with both algorithms: a key is used for its own one only.
    let both = TestServer(source: KeySetSource(keySet), algorithms: [.rs256, .es256])
    let other = try both.verifier.issueNonce()
    try await both.expectRefusal(
      .wrongAlgorithm,
      of: both.token(other) { $0.header["kid"] = "key-2" }.signed(by: TestKeys.p256), other)
    try await both.expectRefusal(
      .wrongAlgorithm, of: both.token(other) { $0.header["alg"] = "ES256" }.signed(), other)
    let valid = both.token(other) {
      $0.header["alg"] = "ES256"
      $0.header["kid"] = "key-2"
    }
    _ = try await both.verifier.verify(valid.signed(by: TestKeys.p256), nonce: other.value)
  }

  @Test("is refused if its key is missing, unknown, or named twice") func keyIdentifiers()
    async throws
  {
    let server = TestServer()
    try await server.expectRefusal(.unknownKey) { $0.header["kid"] = nil }
    try await server.expectRefusal(.unknownKey) { $0.header["kid"] = .null }
    try await server.expectRefusal(.unknownKey) { $0.header["kid"] = "key-9" }
    try await server.expectRefusal(.unknownKey) { $0.header["kid"] = "" }
    try await server.expectRefusal(.malformedToken) { $0.header["kid"] = 1 }
    let nonce = try server.verifier.issueNonce()
    let claims = TestToken.text(server.token(nonce).claims)
    for header in [
      #"{"alg": "RS256", "kid": "key-1", "kid": "key-1"}"#,
      #"{"alg": "RS256", "alg": "none", "kid": "key-1"}"#,
    ] {
      try await server.expectRefusal(
        .malformedToken, of: TestToken.signed(header, claims), nonce)
    }
  }

  @Test("is refused if it requires an extension") func extensions() async throws {
    let server = TestServer()
    try await server.expectRefusal(.malformedToken) { $0.header["crit"] = ["exp"] }
    try await server.expectRefusal(.malformedToken) { $0.header["b64"] = false }
  }

  @Test("is refused if it has a claim twice, or one of another type") func claims() async throws {
    let server = TestServer()
    for name in ["iss", "sub", "aud", "exp"] {
      try await server.expectRefusal(.malformedToken) { $0.claims[name] = nil }
      try await server.expectRefusal(.malformedToken) { $0.claims[name] = ["a": 1] }
    }
    try await server.expectRefusal(.malformedToken) { $0.claims["exp"] = "1900000000" }
    try await server.expectRefusal(.malformedToken) { $0.claims["aud"] = [1] }
    try await server.expectRefusal(.malformedToken) { $0.claims["nonce"] = 1 }
    let nonce = try server.verifier.issueNonce()
    let token = server.token(nonce)
    let claims = TestToken.text(token.claims).dropLast() + #", "sub": "someone else"}"#
    try await server.expectRefusal(
      .malformedToken, of: TestToken.signed(TestToken.text(token.header), String(claims)), nonce)
    for text in ["", "[]", "null", "1", #""a""#, "{", #"{"sub""#] {
      try await server.expectRefusal(
        .malformedToken, of: TestToken.signed(TestToken.text(token.header), text), nonce)
      try await server.expectRefusal(
        .malformedToken, of: TestToken.signed(text, TestToken.text(token.claims)), nonce)
    }
  }

  @Test("is refused if it is too long, deeply nested, or in another encoding") func sizes()
    async throws
  {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let megabyte = String(repeating: "a", count: 1_000_000)
    for text in [megabyte, "\(megabyte).\(megabyte).\(megabyte)"] {
      try await server.expectRefusal(.malformedToken, of: text, nonce)
    }
    try await server.expectRefusal(.malformedToken) { $0.claims["a"] = .string(megabyte) }
    let token = server.token(nonce)
    for depth in [20, 4000] {
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let header = #"{"alg": "RS256", "kid": "key-1", "a": \#(nested)}"#
      try await server.expectRefusal(
        .malformedToken, of: TestToken.signed(header, TestToken.text(token.claims)), nonce)
      let claims = TestToken.text(token.claims).dropLast() + #", "a": \#(nested)}"#
      try await server.expectRefusal(
        .malformedToken, of: TestToken.signed(TestToken.text(token.header), String(claims)), nonce)
    }
    let wide = TestToken.text(token.header).data(using: .utf16LittleEndian)!
    let text =
      "\(base64URL(wide)).\(base64URL(Data(TestToken.text(token.claims).utf8))).\(base64URL(wide))"
    try await server.expectRefusal(.malformedToken, of: text, nonce)
  }

  @Test("is refused if it does not have the form of a token") func forms() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let valid = server.token(nonce).signed()
    let parts = valid.split(separator: ".").map(String.init)
    for text in [
      "", ".", "..", "...", "a", "a.b", parts[0], "\(valid).", ".\(valid)", "\(valid) ",
      "\(valid)=", "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])",
      "\(parts[0])!.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).+/\(parts[2])", "é.é.é",
      "Bearer \(valid)", "\(valid)\n",
    ] {
      try await server.expectRefusal(.malformedToken, of: text, nonce)
    }
    // The last of the 342 characters has four bits that are not used.
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let last = try #require(valid.last.flatMap { alphabet.firstIndex(of: $0) })
    for bits in 1...15 {
      let text = String(valid.dropLast()) + String(alphabet[last ^ bits])
      try await server.expectRefusal(.malformedToken, of: text, nonce)
    }
    _ = try await server.verifier.verify(valid, nonce: nonce.value)
  }

  @Test("does not end the program with a number that no integer type has") func hugeNumbers()
    async throws
  {
    let server = TestServer()
    for number in ["1e300", "-1e300", "99999999999999999999", "1e-300"] {
      let value = JSON.Value.number(try #require(JSON.Number(number)))
      try await server.signIn { $0.header["a"] = value }
      try await server.signIn { $0.claims["a"] = value }
    }
    try await server.signIn { $0.claims["exp"] = .number(JSON.Number("1e300")!) }
    try await server.expectRefusal(.notYetValid) { $0.claims["iat"] = 1e300 }
  }

  @Test("is refused in any form that random changes give it") func mutations() async throws {
    let server = TestServer()
    let nonce = try server.verifier.issueNonce()
    let valid = Array(server.token(nonce).signed().utf8)
    let tokens = [".", "=", "-", "_", "eyJhbGciOiJub25lIn0", "{}", "\u{0}"]
    var isRefused = true
    for bytes in Mutations(of: [valid], tokens: tokens) where bytes != valid {
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(IdentityError) {
        _ = try await server.verifier.verify(text, nonce: nonce.value)
        isRefused = false
      } catch {
        #expect(error.code != .storeUnavailable)
      }
    }
    #expect(isRefused)
    _ = try await server.verifier.verify(String(decoding: valid, as: UTF8.self), nonce: nonce.value)
  }
}
#endif
