#if Identity
import JWTKit

/// A public key of a provider, for one algorithm.
struct SigningKey: Sendable {
  let algorithm: IdentityProvider.Algorithm
  private let verifier: any JWTAlgorithm

  /// Creates a key from a member of a key set.
  ///
  /// Only the public parts are passed to jwt-kit: for a private key in a key set it would search the
  /// factors of its modulus.
  ///
  /// - Parameter algorithms: Those of the provider.
  /// - Returns: `nil` if the key is not one for signatures with one of the algorithms.
  init?(_ key: KeySet.Member, _ algorithms: Set<IdentityProvider.Algorithm>) async {
    guard let id = key.kid, key.use ?? "sig" == "sig" else { return nil }
    let identifier = JWKIdentifier(string: id)
    let jwk: JWK
    switch key.kty {
    case "RSA":
      algorithm = .rs256
      jwk = .rsa(.rs256, identifier: identifier, modulus: key.n, exponent: key.e)
    case "EC" where key.crv == "P-256":
      algorithm = .es256
      jwk = .ecdsa(.es256, identifier: identifier, x: key.x, y: key.y, curve: .p256)
    default: return nil
    }
    guard algorithms.contains(algorithm), key.alg ?? algorithm.name == algorithm.name else {
      return nil
    }
    // A collection of its own for each key: for an identifier that it does not have, a collection
    // returns its first key.
    let collection = JWTKeyCollection()
    guard (try? await collection.add(jwk: jwk)) != nil,
      let verifier = try? await collection.getKey(for: identifier),
      verifier.name == algorithm.name
    else { return nil }
    self.verifier = verifier
  }

  /// Whether a signature is that of bytes.
  func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
    // An error means that the signature does not have the form of one.
    (try? verifier.verify(signature, signs: bytes)) ?? false
  }
}
#endif
