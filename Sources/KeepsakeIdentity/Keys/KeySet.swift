#if Identity
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of a provider by identifier (RFC 7517, section 5).
struct KeySet: Sendable {
  /// A key as it is in JSON; a member of another type is as if it were missing.
  struct Member: Decodable {
    let kty, kid, use, alg, n, e, crv, x, y: String?

    private enum CodingKeys: String, CodingKey {
      case kty, kid, use, alg, n, e, crv, x, y
    }

    init(from decoder: any Decoder) throws {
      let container = try? decoder.container(keyedBy: CodingKeys.self)
      func text(_ key: CodingKeys) -> String? { try? container?.decode(String.self, forKey: key) }
      kty = text(.kty)
      kid = text(.kid)
      use = text(.use)
      alg = text(.alg)
      n = text(.n)
      e = text(.e)
      crv = text(.crv)
      x = text(.x)
      y = text(.y)
    }
  }

  private struct Document: Decodable {
    let keys: [Member]
  }

  /// The keys by the bytes of their identifiers; `nil` for an identifier that several keys have.
  private let keys: [[UInt8]: SigningKey?]

  private static var maximumDepth: Int { 16 }
  private static var maximumKeyCount: Int { 100 }

  /// Parses a key set.
  ///
  /// - Throws: ``IdentityError`` (`unusableKeySet`) if it is too long, is not a key set, or has no key
  ///   with an identifier for one of the algorithms.
  init(
    _ text: Data, maximumByteCount: Int, algorithms: Set<IdentityProvider.Algorithm>
  ) async throws(IdentityError) {
    guard text.count <= maximumByteCount else {
      throw IdentityError(
        .unusableKeySet,
        "the provider's key set has \(text.count) bytes, more than \(maximumByteCount)")
    }
    let decoder = JSON.Decoder()
    decoder.duplicateKeyPolicy = .error
    decoder.maximumDepth = Self.maximumDepth
    let members: [Member]
    do {
      members = try decoder.decode(Document.self, from: text).keys
    } catch {
      throw IdentityError(.unusableKeySet, "what was fetched is not a key set", cause: error)
    }
    guard members.count <= Self.maximumKeyCount else {
      throw IdentityError(
        .unusableKeySet,
        "the provider's key set has \(members.count) keys, more than \(Self.maximumKeyCount)")
    }
    var keys: [[UInt8]: SigningKey?] = [:]
    for member in members {
      guard let key = await SigningKey(member, algorithms), let id = member.kid else { continue }
      let bytes = Array(id.utf8)
      keys[bytes] = .some(keys[bytes] == nil ? key : nil)
    }
    guard !keys.isEmpty else {
      throw IdentityError(.unusableKeySet, "the provider's key set has no key for its tokens")
    }
    self.keys = keys
  }

  /// Whether one or several keys have an identifier.
  func contains(_ id: String) -> Bool { keys[Array(id.utf8)] != nil }

  /// The only key that has an identifier.
  subscript(id: String) -> SigningKey? { keys[Array(id.utf8)] ?? nil }
}
#endif
