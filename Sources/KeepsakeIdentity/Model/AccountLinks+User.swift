#if Identity
extension AccountLinks {
  /// The user of an account, who is signed in to it.
  public struct User: Hashable, Sendable {
    /// The account's identifier.
    public let account: String

    /// Says that a user is signed in to an account.
    ///
    /// Call this only after the account's own credentials were verified in the session that the request
    /// belongs to: its password, a passkey, or an identity that is linked to it
    /// (``AccountLinks/user(of:)``). An address that matches is not a credential.
    ///
    /// - Parameter account: The account's identifier.
    public init(authenticatedFor account: String) { self.account = account }
  }
}
#endif
