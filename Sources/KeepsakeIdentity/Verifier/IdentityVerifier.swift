#if Identity
public import KeepsakeSecrets

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies on a server that a token is from a provider, for this app, fresh, and used once.
///
/// ```swift
/// let verifier = IdentityVerifier(
///   provider: .apple(team: "A1B2C3D4E5"), audiences: ["com.example.app"], secrets: secrets
/// ) { url, maximumByteCount in try await fetch(url, maximumByteCount) }
///
/// let nonce = try verifier.issueNonce()     // value: to the session; hash: to the provider
/// let identity = try await verifier.verify(token, nonce: nonce.value, profile: profile)
/// let user = try verifier.accounts.user(of: identity)
/// ```
///
/// Any number of processes on one machine can use one store. Methods block the caller during disk I/O.
///
/// - SeeAlso: [RFC 7519](https://www.rfc-editor.org/rfc/rfc7519),
///   [OpenID Connect Core 1.0, section 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html)
public final class IdentityVerifier: Sendable {
  /// The provider whose tokens are accepted.
  public let provider: IdentityProvider
  /// The apps that tokens may be for.
  public let audiences: Set<String>
  /// The profiles that came with verified tokens.
  public let profiles: ProfileStore
  /// The accounts that identities are linked to.
  public let accounts: AccountLinks

  private let secrets: SecretStore
  private let limits: IdentityLimits
  private let now: @Sendable () -> Date
  private let nonces: NonceStore
  private let keys: KeySetCache

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - provider: The provider whose tokens are accepted.
  ///   - audiences: The apps that tokens may be for: the bundle identifiers and service identifiers of
  ///     the team, as the provider knows them.
  ///   - secrets: The store of used nonces, profiles and links; an encrypted file, because they are
  ///     personal data. Each verified token replaces the file.
  ///   - limits: How long and how much is accepted.
  ///   - now: The clock.
  ///   - fetch: Fetches the key set from an address over a connection that authenticates the server.
  ///     It should end when it received more than the given number of bytes, or is canceled.
  public init(
    provider: IdentityProvider, audiences: Set<String>, secrets: SecretStore,
    limits: IdentityLimits = IdentityLimits(), now: @escaping @Sendable () -> Date = { Date() },
    fetchingKeySetWith fetch:
      @escaping @Sendable (_ url: URL, _ maximumByteCount: Int) async throws -> Data
  ) {
    self.provider = provider
    self.audiences = audiences
    self.secrets = secrets
    self.limits = limits
    self.now = now
    profiles = ProfileStore(secrets)
    accounts = AccountLinks(secrets)
    nonces = NonceStore(secrets: secrets, limits: limits)
    keys = KeySetCache(provider, limits, now: now, fetch: fetch)
  }

  /// Issues a nonce for one sign-in.
  ///
  /// Nothing is stored for it.
  ///
  /// - Throws: ``IdentityError`` (`storeUnavailable`).
  public func issueNonce() throws(IdentityError) -> SignInNonce {
    try nonces.issue(at: now())
  }

  /// Verifies a token, uses its nonce, and keeps the profile that came with it.
  ///
  /// The nonce is used, and the profile kept, in one change that survives a power cut once this method
  /// returns. After an error nothing was used or kept, but after `expiredNonce` the profile was kept:
  /// the provider does not send it again. After `cannotVerifyNow`, `unusableKeySet` and
  /// `storeUnavailable`, call the method again later with the same arguments.
  ///
  /// - Parameters:
  ///   - token: The identity token: `id_token`, or `ASAuthorizationAppleIDCredential.identityToken`.
  ///   - nonce: The ``SignInNonce/value`` that was issued for the session that sends the token; the token
  ///     contains its ``SignInNonce/hash``.
  ///   - profile: The profile that came with the token, if any. An address in the token takes the
  ///     place of the one in the profile, which is not signed.
  /// - Returns: What the token says about the user.
  /// - Throws: ``IdentityError``.
  public func verify(
    _ token: String, nonce: String, profile: UserProfile? = nil
  ) async throws(IdentityError) -> VerifiedIdentity {
    try profile?.validate()
    let claims = try await verifiedClaims(of: token)
    let now = now()
    try claims.validate(
      from: provider, for: audiences, now: now.timeIntervalSince1970,
      skew: limits.clockSkewSeconds)
    let issued = try nonces.find(nonce, claim: claims.nonce)
    let subject = VerifiedIdentity.Subject(claims.sub, of: provider)
    var kept = profile ?? UserProfile()
    if !kept.isEmpty { kept.email = claims.email ?? kept.email }
    let hasExpired = nonces.hasExpired(issued, at: now)
    try secrets.identityTransaction { changes in
      try nonces.use(issued, at: now, in: &changes)
      try ProfileStore.keep(kept, of: subject, in: &changes)
    }
    if hasExpired { throw NonceStore.expired }
    return VerifiedIdentity(
      subject: subject, audience: claims.aud.values[0], verifiedEmail: claims.verifiedEmail,
      issuedAt: claims.iat.map(Date.init(timeIntervalSince1970:)),
      expires: Date(timeIntervalSince1970: claims.exp))
  }

  /// The claims of a token that the provider signed.
  private func verifiedClaims(of text: String) async throws(IdentityError) -> TokenClaims {
    let token = try SignedToken(text, maximumByteCount: limits.tokenByteCount)
    // The header is not signed by anyone yet: it chooses among the provider's algorithms and keys.
    guard let algorithm = provider.algorithms.first(where: { $0.name == token.header.alg }) else {
      throw IdentityError(.wrongAlgorithm, "the token is not signed as those of the provider are")
    }
    guard let id = token.header.kid else {
      throw IdentityError(.unknownKey, "the token does not name its key")
    }
    let key = try await keys.key(id)
    guard key.algorithm == algorithm else {
      throw IdentityError(.wrongAlgorithm, "the token's key is for another algorithm")
    }
    guard key.isValid(token.signature, for: token.signedBytes) else {
      throw IdentityError(.wrongSignature, "the token was not signed by the provider")
    }
    return try token.decodeClaims()
  }
}
#endif
