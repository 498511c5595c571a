#if !Identity
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies tokens of a provider. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public final class IdentityVerifier {}

/// A service whose users can sign in. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public struct IdentityProvider {
  /// Creates a provider.
  public init(
    issuer: String, team: String = "", keySetURL: URL, algorithms: Set<String>,
    profileAdvice: String = ""
  ) {}

  /// Sign in with Apple.
  public static func apple(team: String) -> IdentityProvider { fatalError() }
}

/// What a verified token says. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public struct VerifiedIdentity {}

/// The profiles that providers sent. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public struct ProfileStore {}

/// A user's name and address. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public struct UserProfile {
  /// Creates a profile.
  public init(givenName: String? = nil, familyName: String? = nil, email: String? = nil) {}
}

/// Which account each identity belongs to. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public struct AccountLinks {}

/// An error about a sign-in. Unavailable: the trait `Identity` is off.
@available(*, unavailable, message: "Enable the trait `Identity` of the package keepsake")
public struct IdentityError {}
#endif
