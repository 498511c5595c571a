#if Identity
/// An algorithm that a provider signs its tokens with (RFC 7518, section 3.1).
///
/// There is no algorithm with a shared secret, and none without a signature.
public struct SigningAlgorithm: Hashable, Sendable {
  /// The algorithm's name in a token.
  public let name: String

  /// RSA with SHA-256.
  public static let rs256 = SigningAlgorithm(name: "RS256")
  /// ECDSA with the curve P-256 and SHA-256.
  public static let es256 = SigningAlgorithm(name: "ES256")
}
#endif
