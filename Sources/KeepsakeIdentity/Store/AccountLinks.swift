#if Identity
public import KeepsakeSecrets

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which account each identity belongs to.
///
/// An account is found by a verified identity alone; no method takes an address. A new account has a
/// new identifier. To link an identity to an existing account, its user must be signed in to it: an
/// address that a client sends with its own valid token gives no access to the account of its owner.
public struct AccountLinks: Sendable {
  private let secrets: SecretStore

  /// The links in a store.
  public init(_ secrets: SecretStore) { self.secrets = secrets }

  /// The user of the account that an identity is linked to, or `nil` if it is linked to none.
  ///
  /// - Throws: ``IdentityError`` (`storeUnavailable`).
  public func user(of identity: VerifiedIdentity) throws(IdentityError) -> AccountLinks.User? {
    try secrets.stored(Self.storedName(of: identity), as: String.self)
      .map(AccountLinks.User.init(authenticatedFor:))
  }

  /// Links an identity to a new account.
  ///
  /// - Returns: The user of the account, whose identifier is a new UUID.
  /// - Throws: ``IdentityError`` (`linkedElsewhere` or `storeUnavailable`).
  public func createAccount(for identity: VerifiedIdentity) throws(IdentityError)
    -> AccountLinks.User
  {
    let user = AccountLinks.User(authenticatedFor: UUID().uuidString)
    try link(identity, to: user)
    return user
  }

  /// Links an identity to an account that its user is signed in to.
  ///
  /// - Parameters:
  ///   - identity: The identity; the user signed in with it, too, in the same session.
  ///   - user: The user of the account.
  /// - Throws: ``IdentityError``: `linkedElsewhere` if the identity is linked to another account;
  ///   `storeUnavailable`. No link is then changed.
  public func link(
    _ identity: VerifiedIdentity, to user: AccountLinks.User
  ) throws(IdentityError) {
    let name = Self.storedName(of: identity)
    try secrets.identityTransaction { changes in
      if let account = try changes.value(for: name, as: String.self) {
        guard account.utf8.elementsEqual(user.account.utf8) else { throw Self.linkedElsewhere }
        return
      }
      try changes.set(user.account, for: name)
    }
  }

  /// Removes the link of an identity to an account that its user is signed in to.
  ///
  /// - Throws: ``IdentityError``: `linkedElsewhere` if the identity is linked to another account;
  ///   `storeUnavailable`. No link is then changed.
  public func unlink(
    _ subject: VerifiedIdentity.Subject, from user: AccountLinks.User
  ) throws(IdentityError) {
    let name = subject.storedName("account")
    try secrets.identityTransaction { changes in
      guard let account = try changes.value(for: name, as: String.self) else { return }
      guard account.utf8.elementsEqual(user.account.utf8) else { throw Self.linkedElsewhere }
      changes.remove(name)
    }
  }

  private static func storedName(of identity: VerifiedIdentity) -> String {
    identity.subject.storedName("account")
  }

  private static var linkedElsewhere: IdentityError {
    IdentityError(.linkedElsewhere, "the identity is linked to another account; nothing changed")
  }
}
#endif
