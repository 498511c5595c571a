#if Identity
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a verified token says about a user; only ``IdentityVerifier`` creates one.
public struct VerifiedIdentity: Sendable {
  /// The user as the provider knows them.
  public let subject: VerifiedIdentity.Subject
  /// The app that the user signed in to: the `aud` claim, one of the verifier's audiences.
  public let audience: String
  /// The user's address; `nil` unless the token contains one with a true `email_verified`.
  public let verifiedEmail: VerifiedIdentity.Email?
  /// When the token was issued, if it says.
  public let issuedAt: Date?
  /// When the token expires.
  public let expires: Date

  init(
    subject: VerifiedIdentity.Subject, audience: String, verifiedEmail: VerifiedIdentity.Email?,
    issuedAt: Date?,
    expires: Date
  ) {
    self.subject = subject
    self.audience = audience
    self.verifiedEmail = verifiedEmail
    self.issuedAt = issuedAt
    self.expires = expires
  }
}
#endif
