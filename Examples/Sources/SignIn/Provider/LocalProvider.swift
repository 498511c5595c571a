import Foundation
import JWTKit
import Keepsake
import KeepsakeIdentity
import Synchronization

/// A provider of identities in this program, which does what Apple's does: it signs a token for each
/// sign-in, and sends a user's name and address only with the first one.
final class LocalProvider: Sendable {
  /// Someone with an account at the provider.
  struct Person {
    let subject: String
    let givenName: String
    let familyName: String

    var email: String { "\(givenName.lowercased())@example.com" }
  }

  /// The answer to an authorization, as Apple's callback has it.
  struct Answer: Encodable {
    var token: String
    /// The JSON of name and address, the first time.
    var user: String?
  }

  static let issuer = "https://id.example"
  static let client = "com.example.signin"
  static let people = [
    Person(subject: "000001.kurt", givenName: "Kurt", familyName: "Cobain"),
    Person(subject: "000002.mary", givenName: "Mary", familyName: "Shelley"),
  ]

  private struct Claims: JWTPayload {
    var iss = LocalProvider.issuer
    var aud: String
    var sub: String
    var iat: Int
    var exp: Int
    var nonce: String
    var email: String
    var email_verified = "true"

    // Only the app verifies.
    func verify(using algorithm: some JWTAlgorithm) {}
  }

  private let key = ES256PrivateKey()
  private let keyIdentifier = JWKIdentifier(string: UUID().uuidString)
  /// The subjects that the app has received a profile of; they last from run to run, like the app's data.
  private let state: SettingsStore
  private static let authorized = SettingsKey("authorized", default: [String]())

  init(state: SettingsStore) { self.state = state }

  /// What the app must know about the provider.
  var identity: IdentityProvider {
    IdentityProvider(
      issuer: Self.issuer, keySetURL: URL(string: "http://127.0.0.1/provider/keys")!,
      algorithms: [.es256],
      profileAdvice: "choose \u{201C}Remove the app\u{201D} at the provider, and sign in again")
  }

  /// The public key (RFC 7517, section 5).
  var keySet: String {
    func text(_ base64: String?) -> String {
      (base64 ?? "").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    let point = key.parameters
    return #"{"keys": [{"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "#
      + #""kid": "\#(keyIdentifier.string)", "x": "\#(text(point?.x))", "y": "\#(text(point?.y))"}]}"#
  }

  /// Signs a token for one of the people.
  func authorize(_ subject: String, nonce: String) async throws -> Answer? {
    guard let person = Self.people.first(where: { $0.subject == subject }) else { return nil }
    let now = Int(Date().timeIntervalSince1970)
    let claims = Claims(
      aud: Self.client, sub: subject, iat: now, exp: now + 600, nonce: nonce, email: person.email)
    let keys = await JWTKeyCollection().add(ecdsa: key, kid: keyIdentifier)
    let token = try await keys.sign(claims, kid: keyIdentifier)
    let isFirst = try state.transaction { state in
      if state[Self.authorized].contains(subject) { return false }
      state[Self.authorized].append(subject)
      return true
    }
    let user =
      #"{"name": {"firstName": "\#(person.givenName)", "lastName": "\#(person.familyName)"}, "#
      + #""email": "\#(person.email)"}"#
    return Answer(token: token, user: isFirst ? user : nil)
  }

  /// Forgets that anyone signed in to the app: their profile is then sent again.
  func removeApp() throws {
    try state.set([], for: Self.authorized)
  }
}
