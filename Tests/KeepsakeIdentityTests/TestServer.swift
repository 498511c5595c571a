#if Identity
import Crypto
import CryptoExtras
import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeIdentity
import KeepsakeSecrets
import KeepsakeTesting
import SystemPackage
import Testing

/// A clock that a test sets.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }

  func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}

/// The address of a provider's key set, and what a fetch of it brings.
final class KeySetSource: Sendable {
  struct Offline: Error {}

  private let state: Mutex<(answer: @Sendable () async throws -> Data, count: Int, limit: Int)>

  init(_ answer: @escaping @Sendable () async throws -> Data) { state = Mutex((answer, 0, 0)) }

  convenience init(_ json: String) { self.init { Data(json.utf8) } }

  /// How often the key set was fetched.
  var fetchCount: Int { state.withLock { $0.count } }
  /// The number of bytes that the last fetch was limited to.
  var lastLimit: Int { state.withLock { $0.limit } }

  func answer(_ answer: @escaping @Sendable () async throws -> Data) {
    state.withLock { $0.answer = answer }
  }

  func answer(_ json: String) { answer { Data(json.utf8) } }

  func fetch(_ url: URL, _ limit: Int) async throws -> Data {
    let answer = state.withLock { state in
      state.count += 1
      state.limit = limit
      return state.answer
    }
    return try await answer()
  }
}

/// Keys of providers; they are made once, because that takes long.
enum TestKeys {
  static let rsa = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
  static let otherRSA = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
  static let p256 = P256.Signing.PrivateKey()

  static func json(_ key: _RSA.Signing.PrivateKey = rsa, id: String = "key-1") -> String {
    let numbers = try! key.publicKey.getKeyPrimitives()
    return #"{"kty": "RSA", "kid": "\#(id)", "use": "sig", "alg": "RS256", "#
      + #""n": "\#(base64URL(numbers.modulus))", "e": "\#(base64URL(numbers.publicExponent))"}"#
  }

  static func json(_ key: P256.Signing.PrivateKey, id: String) -> String {
    let point = key.publicKey.rawRepresentation
    return #"{"kty": "EC", "crv": "P-256", "kid": "\#(id)", "#
      + #""x": "\#(base64URL(point.prefix(32)))", "y": "\#(base64URL(point.suffix(32)))"}"#
  }

  static func keySet(_ keys: String...) -> String {
    #"{"keys": [\#(keys.joined(separator: ", "))]}"#
  }
}

func base64URL(_ bytes: some DataProtocol) -> String {
  Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    .replacing("=", with: "")
}

/// A token of a provider, before it is signed.
struct TestToken {
  var header: JSON.Object = ["alg": "RS256", "kid": "key-1"]
  var claims: JSON.Object

  static func text(_ object: JSON.Object) -> String {
    String(decoding: try! JSON.Encoder().encode(JSON.Value.object(object)), as: UTF8.self)
  }

  func signed(by key: _RSA.Signing.PrivateKey = TestKeys.rsa) -> String {
    Self.signed(Self.text(header), Self.text(claims), by: key)
  }

  static func signed(
    _ header: String, _ claims: String, by key: _RSA.Signing.PrivateKey = TestKeys.rsa
  ) -> String {
    signed(header, claims) { bytes in
      try! key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        .rawRepresentation
    }
  }

  func signed(by key: P256.Signing.PrivateKey) -> String {
    Self.signed(Self.text(header), Self.text(claims)) { bytes in
      try! key.signature(for: bytes).rawRepresentation
    }
  }

  static func signed(
    _ header: String, _ claims: String, _ sign: (Data) -> some DataProtocol
  ) -> String {
    let text = "\(base64URL(Data(header.utf8))).\(base64URL(Data(claims.utf8)))"
    return "\(text).\(base64URL(sign(Data(text.utf8))))"
  }
}

/// A server that verifies the tokens of a provider with a key set of its own.
struct TestServer: Sendable {
  static let issuer = "https://provider.example"
  static let audience = "com.example.app"
  static let subject = "001234.kurt"
  static let path: FilePath = "/data/secrets.json"

  var provider = IdentityProvider(
    issuer: issuer, team: "A1B2C3D4E5", keySetURL: URL(string: "\(issuer)/keys")!,
    algorithms: [.rs256], profileAdvice: "remove the app from the list")
  let clock: TestClock
  let source: KeySetSource
  let disk: SimulatedDisk
  let verifier: IdentityVerifier

  init(
    source: KeySetSource = KeySetSource(TestKeys.keySet(TestKeys.json())),
    disk: SimulatedDisk = SimulatedDisk(), clock: TestClock = TestClock(),
    algorithms: Set<IdentityProvider.Algorithm> = [.rs256], audiences: Set<String> = [audience],
    secrets: SecretStore? = nil, limits: IdentityLimits = IdentityLimits()
  ) {
    self.clock = clock
    self.source = source
    self.disk = disk
    provider.algorithms = algorithms
    verifier = IdentityVerifier(
      provider: provider, audiences: audiences, secrets: secrets ?? Self.secrets(on: disk),
      limits: limits, now: { clock.now }, fetchingKeySetWith: source.fetch)
  }

  static func secrets(on files: any FileSystem) -> SecretStore {
    SecretStore(
      file: path, identifier: "com.example.app", key: .keyFile("/data/key"), fileSystem: files)
  }

  /// The server after a restart, on the same disk.
  func restarted() -> TestServer { TestServer(source: source, disk: disk, clock: clock) }

  var subject: VerifiedIdentity.Subject { VerifiedIdentity.Subject(Self.subject, of: provider) }

  /// The claims of a sign-in with a nonce.
  func token(_ nonce: SignInNonce, _ change: (inout TestToken) -> Void = { _ in }) -> TestToken {
    let now = Int(clock.now.timeIntervalSince1970)
    var token = TestToken(claims: [
      "iss": .string(Self.issuer), "aud": .string(Self.audience), "sub": .string(Self.subject),
      "iat": .number(JSON.Number(now)), "exp": .number(JSON.Number(now + 600)),
      "nonce": .string(nonce.hash), "email": "kurt@example.com", "email_verified": "true",
    ])
    change(&token)
    return token
  }

  /// Signs in with a token of the provider.
  @discardableResult
  func signIn(
    profile: UserProfile? = nil, _ change: (inout TestToken) -> Void = { _ in }
  ) async throws -> VerifiedIdentity {
    let nonce = try verifier.issueNonce()
    return try await verifier.verify(
      token(nonce, change).signed(), nonce: nonce.value, profile: profile)
  }

  /// Expects that a token is refused, that its nonce stays unused and that no profile is kept.
  func expectRefusal(
    _ code: IdentityError.Code, _ change: (inout TestToken) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let nonce = try verifier.issueNonce()
    try await expectRefusal(
      code, of: token(nonce, change).signed(), nonce, sourceLocation: sourceLocation)
  }

  /// Expects that a text is refused, that the nonce stays unused and that no profile is kept.
  func expectRefusal(
    _ code: IdentityError.Code, of text: String, _ nonce: SignInNonce,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let error = await #expect(throws: IdentityError.self, sourceLocation: sourceLocation) {
      try await verifier.verify(
        text, nonce: nonce.value, profile: UserProfile(givenName: "Forged"))
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    let description = error.map { "\($0)" } ?? ""
    #expect(!description.contains(nonce.value), sourceLocation: sourceLocation)
    #expect(!description.contains("Forged"), sourceLocation: sourceLocation)
    #expect(description.utf8.count < 1000, sourceLocation: sourceLocation)
    #expect(throws: IdentityError.self, sourceLocation: sourceLocation) {
      try verifier.profiles.profile(of: subject)
    }
  }
}
#endif
