#if Identity
public import KeepsakeSecrets

/// The profiles that providers sent, which they send only once.
///
/// On a server, ``IdentityVerifier`` keeps them. On a client, keep what the system returns, before the
/// server is asked:
///
/// ```swift
/// let user = VerifiedIdentity.Subject(credential.user, of: .apple(team: "A1B2C3D4E5"))
/// try profiles.keep(
///   UserProfile(
///     givenName: credential.fullName?.givenName, familyName: credential.fullName?.familyName,
///     email: credential.email),
///   of: user)
/// let profile = try profiles.profile(of: user)
/// ```
///
/// A profile never replaces the first one. One that differs is kept beside it, for
/// ``acceptNewerProfile(of:)``.
public struct ProfileStore: Sendable {
  private let secrets: SecretStore

  /// What is stored about a subject.
  private struct Record: Codable {
    var profile: UserProfile
    /// The last one that differs.
    var newer: UserProfile?
  }

  /// The profiles in a store: they are personal data, and encrypted if the store is an encrypted file.
  public init(_ secrets: SecretStore) { self.secrets = secrets }

  /// Keeps a profile, unless it is empty.
  ///
  /// If the subject has one, what that lacks is added; it is not changed otherwise.
  ///
  /// - Throws: ``IdentityError`` (`malformedProfile` or `storeUnavailable`); what was kept stays.
  public func keep(_ profile: UserProfile, of subject: VerifiedIdentity.Subject)
    throws(IdentityError)
  {
    try profile.validate()
    try secrets.identityTransaction { try Self.keep(profile, of: subject, in: &$0) }
  }

  static func keep(
    _ profile: UserProfile, of subject: VerifiedIdentity.Subject,
    in changes: inout SecretStore.Transaction
  ) throws {
    if profile.isEmpty { return }
    let name = storedName(of: subject)
    guard var record = try changes.value(for: name, as: Record.self) else {
      return try changes.set(Record(profile: profile), for: name)
    }
    let stored = record.profile
    record.profile = UserProfile(
      givenName: stored.givenName ?? profile.givenName,
      familyName: stored.familyName ?? profile.familyName, email: stored.email ?? profile.email)
    let result = UserProfile(
      givenName: profile.givenName ?? stored.givenName,
      familyName: profile.familyName ?? stored.familyName, email: profile.email ?? stored.email)
    if result != record.profile { record.newer = result }
    try changes.set(record, for: name)
  }

  /// The first profile of a subject.
  ///
  /// - Throws: ``IdentityError``: `noProfile`, which says what the user can do, if none was ever kept;
  ///   `storeUnavailable`.
  public func profile(of subject: VerifiedIdentity.Subject) throws(IdentityError) -> UserProfile {
    if let record = try record(of: subject) { return record.profile }
    throw IdentityError(
      .noProfile,
      "your name and address are needed; they are sent only when you sign in to this app for the "
        + "first time, and none are stored",
      advice: subject.provider.profileAdvice)
  }

  /// A profile that was sent later and differs from the first one.
  ///
  /// - Throws: ``IdentityError`` (`storeUnavailable`).
  public func newerProfile(of subject: VerifiedIdentity.Subject) throws(IdentityError)
    -> UserProfile?
  {
    try record(of: subject)?.newer
  }

  /// Replaces the first profile of a subject by the newer one, if there is one.
  ///
  /// - Throws: ``IdentityError`` (`storeUnavailable`).
  public func acceptNewerProfile(of subject: VerifiedIdentity.Subject) throws(IdentityError) {
    let name = Self.storedName(of: subject)
    try secrets.identityTransaction { changes in
      guard let newer = try changes.value(for: name, as: Record.self)?.newer else { return }
      try changes.set(Record(profile: newer), for: name)
    }
  }

  /// Removes what is stored about a subject, for example because the user deleted the account.
  ///
  /// - Throws: ``IdentityError`` (`storeUnavailable`).
  public func remove(_ subject: VerifiedIdentity.Subject) throws(IdentityError) {
    try secrets.identityTransaction { $0.remove(Self.storedName(of: subject)) }
  }

  private func record(of subject: VerifiedIdentity.Subject) throws(IdentityError) -> Record? {
    try secrets.stored(Self.storedName(of: subject), as: Record.self)
  }

  private static func storedName(of subject: VerifiedIdentity.Subject) -> String {
    subject.storedName("profile")
  }
}
#endif
