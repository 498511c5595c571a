#if Identity
extension IdentityProvider {
  /// An algorithm that a provider signs its tokens with (RFC 7518, section 3.1).
  ///
  /// There is no algorithm with a shared secret, and none without a signature.
  public struct Algorithm: Hashable, Sendable {
    /// The algorithm's name in a token.
    public let name: String

    /// RSA with SHA-256.
    public static let rs256 = IdentityProvider.Algorithm(name: "RS256")
    /// ECDSA with the curve P-256 and SHA-256.
    public static let es256 = IdentityProvider.Algorithm(name: "ES256")
  }
}
#endif
