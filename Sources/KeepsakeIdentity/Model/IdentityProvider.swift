#if Identity
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A service whose users can sign in to this app, such as Apple.
public struct IdentityProvider: Sendable {
  /// The `iss` claim of its tokens.
  public var issuer: String
  /// The developer team; the provider gives one user another subject in each team.
  public var team: String
  /// The address of its key set (RFC 7517, section 5).
  public var keySetURL: URL
  /// The algorithms that it signs tokens with; all others are refused, also those of its other keys.
  public var algorithms: Set<IdentityProvider.Algorithm>
  /// What users can do so that the provider sends their profile again.
  public var profileAdvice: String

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - issuer: The `iss` claim of its tokens.
  ///   - team: The developer team; empty if the provider's subjects are the same for all apps.
  ///   - keySetURL: The address of its key set.
  ///   - algorithms: The algorithms that it signs tokens with.
  ///   - profileAdvice: What users can do so that the provider sends their profile again.
  public init(
    issuer: String, team: String = "", keySetURL: URL, algorithms: Set<IdentityProvider.Algorithm>,
    profileAdvice: String = "remove this app in the settings of your account, and sign in again"
  ) {
    self.issuer = issuer
    self.team = team
    self.keySetURL = keySetURL
    self.algorithms = algorithms
    self.profileAdvice = profileAdvice
  }

  /// Sign in with Apple.
  ///
  /// - Parameter team: The identifier of the developer team, ten letters and digits.
  /// - SeeAlso: [Authenticating users with Sign in with
  ///   Apple](https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple)
  public static func apple(team: String) -> IdentityProvider {
    IdentityProvider(
      issuer: "https://appleid.apple.com", team: team,
      keySetURL: URL(string: "https://appleid.apple.com/auth/keys")!, algorithms: [.rs256],
      profileAdvice: "in the settings of your Apple ID, under Sign in with Apple, remove this app "
        + "from the list, and sign in again")
  }
}
#endif
