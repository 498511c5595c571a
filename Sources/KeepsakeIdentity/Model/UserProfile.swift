#if Identity
import KeepsakeCoding

/// A user's name and address, as a provider sends them once, beside the first token.
///
/// No signature covers them: anyone between the provider and the server can have changed them. They
/// are for greetings and forms, and never identify an account.
public struct UserProfile: Hashable, Sendable, Codable {
  /// The given name.
  public var givenName: String?
  /// The family name.
  public var familyName: String?
  /// The address.
  public var email: String?

  /// Creates a profile; an empty string is the same as `nil`.
  public init(givenName: String? = nil, familyName: String? = nil, email: String? = nil) {
    func text(_ value: String?) -> String? { value?.isEmpty == true ? nil : value }
    self.givenName = text(givenName)
    self.familyName = text(familyName)
    self.email = text(email)
  }

  /// Reads the parameter `user` of Apple's callback:
  /// `{"name": {"firstName": "Kurt", "lastName": "Cobain"}, "email": "kurt@example.com"}`.
  ///
  /// - Throws: ``IdentityError`` (`malformedProfile`) if it is not such JSON, or has more than 16 KiB.
  /// - SeeAlso: [Configuring your webpage for Sign in with
  ///   Apple](https://developer.apple.com/documentation/signinwithapple/configuring-your-webpage-for-sign-in-with-apple)
  public init(json: String) throws(IdentityError) {
    struct User: Decodable {
      struct Name: Decodable { var firstName, lastName: String? }
      var name: Name?
      var email: String?
    }
    let decoder = JSON.Decoder()
    decoder.maximumByteCount = 16 * 1024
    decoder.maximumDepth = 16
    do {
      let user = try decoder.decode(User.self, from: Array(json.utf8))
      self.init(
        givenName: user.name?.firstName, familyName: user.name?.lastName, email: user.email)
    } catch {
      // The decoder's error contains an excerpt.
      throw IdentityError(.malformedProfile, "the profile is not JSON with a name and an address")
    }
    try validate()
  }

  private static var maximumByteCount: Int { 1000 }

  /// Throws if a part is too long to be kept.
  func validate() throws(IdentityError) {
    for part in [givenName, familyName, email] {
      guard let count = part?.utf8.count, count > Self.maximumByteCount else { continue }
      throw IdentityError(
        .malformedProfile,
        "a part of the profile has \(count) bytes, more than \(Self.maximumByteCount)")
    }
  }

  var isEmpty: Bool { givenName == nil && familyName == nil && email == nil }
}
#endif
