#if Identity
/// The claims of a token (RFC 7519, section 4.1; OpenID Connect Core 1.0, sections 2 and 5.1).
struct TokenClaims: Decodable {
  var iss: String
  var sub: String
  var aud: Audience
  /// In seconds since 1970, as the other times.
  var exp: Double
  var iat: Double?
  var nbf: Double?
  var nonce: String?
  var email: String?
  var emailVerified: Flag?
  var isPrivateEmail: Flag?

  private enum CodingKeys: String, CodingKey {
    case iss, sub, aud, exp, iat, nbf, nonce, email
    case emailVerified = "email_verified"
    case isPrivateEmail = "is_private_email"
  }

  /// One audience, or several.
  struct Audience: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(String.self) {
        values = [value]
      } else {
        values = try container.decode([String].self)
      }
    }
  }

  /// `true` or, as Apple also sends it, `"true"`; all else is false.
  struct Flag: Decodable {
    let isTrue: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        isTrue = value
      } else {
        isTrue = (try? container.decode(String.self))?.utf8.elementsEqual("true".utf8) ?? false
      }
    }
  }

  private static var maximumSubjectByteCount: Int { 255 }

  /// Throws unless the claims are a provider's, for one of the audiences, and valid now.
  ///
  /// Texts are compared by their bytes: as strings, "K" is equal to the sign of the kelvin.
  ///
  /// - Parameters:
  ///   - audiences: The apps that may sign users in.
  ///   - now: The time in seconds since 1970.
  ///   - skew: How far the clocks may differ, in seconds.
  /// - Throws: ``IdentityError`` (`wrongIssuer`, `wrongAudience`, `expired`, `notYetValid` or
  ///   `malformedToken`).
  func validate(
    from provider: IdentityProvider, for audiences: Set<String>, now: Double, skew: Double
  ) throws(IdentityError) {
    guard iss.utf8.elementsEqual(provider.issuer.utf8) else {
      throw IdentityError(.wrongIssuer, "the token was issued by another provider")
    }
    // OpenID Connect, section 3.1.3.7: no audience may be one that is not trusted.
    guard !aud.values.isEmpty,
      aud.values.allSatisfy({ value in
        audiences.contains { $0.utf8.elementsEqual(value.utf8) }
      })
    else { throw IdentityError(.wrongAudience, "the token is for another app") }
    guard now < exp + skew else {
      throw IdentityError(.expired, "the token has expired; sign in again")
    }
    guard iat ?? 0 <= now + skew, nbf ?? 0 <= now + skew else {
      throw IdentityError(.notYetValid, "the token is valid only later; check the clock")
    }
    guard !sub.isEmpty, sub.utf8.count <= Self.maximumSubjectByteCount else {
      throw IdentityError(.malformedToken, "the token has no subject, or one that is too long")
    }
  }

  /// The address, if the provider verified it.
  var verifiedEmail: VerifiedIdentity.Email? {
    guard let email, !email.isEmpty, let emailVerified, emailVerified.isTrue else { return nil }
    return VerifiedIdentity.Email(address: email, isPrivateRelay: isPrivateEmail?.isTrue ?? false)
  }
}
#endif
