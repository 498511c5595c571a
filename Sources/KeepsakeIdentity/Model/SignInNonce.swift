#if Identity
import Crypto
import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value for one sign-in, which ties a token to the session that requested it.
///
/// - SeeAlso: [OpenID Connect Core 1.0, section
///   15.5.2](https://openid.net/specs/openid-connect-core-1_0.html#NonceNotes)
public struct SignInNonce: Sendable {
  /// The value that the session keeps, and that ``IdentityVerifier/verify(_:nonce:profile:)`` receives
  /// with the token. No request to the provider contains it.
  public let value: String

  init(value: String) { self.value = value }

  /// The SHA-256 of the value in hexadecimal digits, which the request to the provider and its token
  /// contain: `ASAuthorizationAppleIDRequest.nonce`, or the parameter `nonce` of the authorization page.
  ///
  /// - Complexity: O(*n*).
  public var hash: String {
    Hexadecimal.text(of: SHA256.hash(data: Array(value.utf8)))
  }
}
#endif
