#if Identity
import Crypto
import KeepsakeSecrets

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Issues nonces, and remembers which were used.
///
/// A nonce contains when it was issued and is authenticated with a key that only the store has, so that
/// issuing one writes nothing: requests without a token fill no disk and displace no one's nonce. Only a
/// nonce that came with a valid token is stored, until a day after it expired. The key and the used nonces are in a
/// `SecretStore`, like the profiles, so that one transaction, which other processes cannot enter and a
/// power cut cannot split, uses the nonce and keeps the profile.
struct NonceStore: Sendable {
  let secrets: SecretStore
  let limits: IdentityLimits
  /// The most used nonces that are remembered; older ones can then no longer be used.
  var capacity = 10_000
  /// How long, in seconds, an expired nonce is still recognized as used: a profile that comes with one
  /// is kept only the first time.
  private static var memory: Double { 24 * 60 * 60 }

  private static var keyName: String { "identity.nonceKey" }
  private static var usedName: String { "identity.usedNonces" }
  private static var randomByteCount: Int { 32 }
  private static var timeByteCount: Int { 8 }
  private static var codeByteCount: Int { SHA256Digest.byteCount }

  /// The used nonces.
  private struct Used: Codable {
    /// When each was issued, in milliseconds since 1970, by hash.
    var issued: [String: Int64] = [:]
    /// None that was issued until then can be used: it may have been, and been forgotten.
    var forgottenUntil: Int64 = .min
  }

  /// A nonce that was issued here.
  struct Issued {
    let nonce: SignInNonce
    /// In milliseconds since 1970.
    let time: Int64
  }

  /// Issues a nonce.
  func issue(at now: Date) throws(IdentityError) -> SignInNonce {
    let key = try key()
    var random = SystemRandomNumberGenerator()
    var bytes = (0..<Self.randomByteCount).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    withUnsafeBytes(of: Self.milliseconds(now).bigEndian) { bytes += $0 }
    bytes += HMAC<SHA256>.authenticationCode(for: bytes, using: key)
    return SignInNonce(value: Base64URL.text(of: bytes))
  }

  /// The nonce with a value, if it was issued here and is the one of a token.
  ///
  /// - Parameter claim: The token's `nonce`.
  /// - Throws: ``IdentityError`` (`wrongNonce` or `storeUnavailable`).
  func find(_ value: String, claim: String?) throws(IdentityError) -> Issued {
    let nonce = SignInNonce(value: value)
    guard let claim, claim.utf8.elementsEqual(nonce.hash.utf8) else {
      throw IdentityError(.wrongNonce, "the token is for another sign-in; sign in again")
    }
    let bytes = Base64URL.bytes(of: value.utf8) ?? []
    let signedCount = Self.randomByteCount + Self.timeByteCount
    guard bytes.count == signedCount + Self.codeByteCount,
      HMAC<SHA256>.isValidAuthenticationCode(
        bytes[signedCount...], authenticating: bytes[..<signedCount], using: try key())
    else { throw IdentityError(.wrongNonce, "the nonce was not issued here; sign in again") }
    let time = bytes[Self.randomByteCount..<signedCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Issued(nonce: nonce, time: Int64(bitPattern: time))
  }

  /// Whether a nonce can no longer be used because of its age.
  func hasExpired(_ issued: Issued, at now: Date) -> Bool {
    let age = Double(Self.milliseconds(now) - issued.time) / 1000
    return age >= limits.nonceLifetime.seconds || age < -limits.clockSkewSeconds
  }

  /// Uses a nonce, even if it has expired.
  ///
  /// - Throws: ``IdentityError`` (`usedNonce`).
  func use(_ issued: Issued, at now: Date, in changes: inout SecretStore.Transaction) throws {
    var used = try changes.value(for: Self.usedName, as: Used.self) ?? Used()
    guard used.issued[issued.nonce.hash] == nil else {
      throw IdentityError(.usedNonce, "the token was already used to sign in; sign in again")
    }
    guard issued.time > used.forgottenUntil else {
      throw IdentityError(
        .usedNonce, "the token may have been used to sign in before; sign in again")
    }
    used.issued[issued.nonce.hash] = issued.time
    let ordered = used.issued.sorted { $0.value < $1.value }
    let first = Self.milliseconds(
      now - limits.nonceLifetime.seconds - limits.clockSkewSeconds - Self.memory)
    let excess = ordered.count - capacity
    for (index, entry) in ordered.enumerated() where index < excess || entry.value < first {
      used.issued[entry.key] = nil
      // Not the current time: if the clock was wrong, all nonces would be refused until then.
      used.forgottenUntil = max(used.forgottenUntil, entry.value)
    }
    try changes.set(used, for: Self.usedName)
  }

  static var expired: IdentityError {
    IdentityError(
      .expiredNonce,
      "the sign-in took too long; the profile that came with it is kept; sign in again")
  }

  /// The number of used nonces that are remembered.
  var usedCount: Int {
    get throws(IdentityError) {
      try secrets.stored(Self.usedName, as: Used.self)?.issued.count ?? 0
    }
  }

  private func key() throws(IdentityError) -> SymmetricKey {
    if let key = try secrets.stored(Self.keyName, as: Data.self) { return SymmetricKey(data: key) }
    let key = try secrets.identityTransaction { changes in
      // Another process may have stored one.
      if let key = try changes.value(for: Self.keyName, as: Data.self) { return key }
      let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
      try changes.set(key, for: Self.keyName)
      return key
    }
    return SymmetricKey(data: key)
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    Int64(date.timeIntervalSince1970 * 1000)
  }
}
#endif
