#if Identity
extension VerifiedIdentity {
  /// An address that a verified token contains, with the provider's word that it is the user's.
  ///
  /// Only ``IdentityVerifier`` creates one: a function that finds a user by such a value cannot be
  /// called with an address that a client sent.
  public struct Email: Hashable, Sendable {
    /// The `email` claim.
    public let address: String
    /// Whether the provider forwards what is sent to the address; the user can end that.
    public let isPrivateRelay: Bool

    init(address: String, isPrivateRelay: Bool) {
      self.address = address
      self.isPrivateRelay = isPrivateRelay
    }
  }
}
#endif
