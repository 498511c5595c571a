#if Identity
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error about a sign-in: what happened, what was kept and what to do; it never contains a token,
/// a nonce or a profile.
public struct IdentityError: Error, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The token is too long, or is not a signed JSON Web Token with the claims of a sign-in.
    public static let malformedToken = Code(description: "malformedToken")
    /// The token is signed with an algorithm that the provider does not use, or not at all.
    public static let wrongAlgorithm = Code(description: "wrongAlgorithm")
    /// The token names no key, a key that the provider does not have, or several of its keys.
    public static let unknownKey = Code(description: "unknownKey")
    /// The signature is not the provider's.
    public static let wrongSignature = Code(description: "wrongSignature")
    /// Another provider issued the token.
    public static let wrongIssuer = Code(description: "wrongIssuer")
    /// The token is for another app.
    public static let wrongAudience = Code(description: "wrongAudience")
    /// The token has expired.
    public static let expired = Code(description: "expired")
    /// The token is valid only later.
    public static let notYetValid = Code(description: "notYetValid")
    /// The nonce was not issued here, or is not the token's.
    public static let wrongNonce = Code(description: "wrongNonce")
    /// The nonce has expired.
    public static let expiredNonce = Code(description: "expiredNonce")
    /// The nonce was used before, or so many were used that this is no longer known.
    public static let usedNonce = Code(description: "usedNonce")
    /// The provider's keys could not be fetched, so that nothing is known about the token.
    public static let cannotVerifyNow = Code(description: "cannotVerifyNow")
    /// What was fetched is not the key set of the provider, so that nothing is known about the token.
    public static let unusableKeySet = Code(description: "unusableKeySet")
    /// A profile is too long, or is not JSON.
    public static let malformedProfile = Code(description: "malformedProfile")
    /// The provider sent no profile, and none is stored.
    public static let noProfile = Code(description: "noProfile")
    /// The identity is linked to another account.
    public static let linkedElsewhere = Code(description: "linkedElsewhere")
    /// The store cannot be read or written.
    public static let storeUnavailable = Code(description: "storeUnavailable")
  }

  /// The kind of the error.
  public var code: Code
  /// What happened and what was kept, in words.
  public var message: String
  /// What the user can do, if anything.
  public var advice: String?
  /// The underlying error.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, advice: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
    self.cause = cause
  }
}

extension IdentityError: CustomStringConvertible, LocalizedError {
  /// One line: the message, the advice, and the cause.
  public var description: String {
    var text = message
    if let advice { text += "; \(advice)" }
    if let cause { text += ": \(cause)" }
    return text
  }

  /// The description.
  public var errorDescription: String? { description }

  /// The advice.
  public var recoverySuggestion: String? { advice }
}
#endif
