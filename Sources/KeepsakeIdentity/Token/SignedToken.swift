#if Identity
import KeepsakeCoding

/// A token in the compact form of RFC 7515, section 7.1, whose signature is not verified yet.
///
/// It is parsed here: jwt-kit's parser reads characters that are not Base64 as nothing, accepts a key that
/// occurs twice, and traps on a header with a number that is larger than an `Int`.
struct SignedToken {
  /// What the header says about the signature.
  struct Header: Decodable {
    var alg: String
    var kid: String?
    var crit: JSON.Value?
    var b64: Bool?
  }

  let header: Header
  /// The bytes that are signed: header and claims, as they were sent.
  let signedBytes: [UInt8]
  let signature: [UInt8]
  private let claims: [UInt8]

  private static var maximumDepth: Int { 16 }

  /// Parses a token.
  ///
  /// - Throws: ``IdentityError`` (`malformedToken`).
  init(_ text: String, maximumByteCount: Int) throws(IdentityError) {
    guard text.utf8.count <= maximumByteCount else {
      throw Self.malformed("has \(text.utf8.count) bytes, more than \(maximumByteCount)")
    }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw Self.malformed("does not have three parts") }
    guard let header = Base64URL.bytes(of: parts[0]), let claims = Base64URL.bytes(of: parts[1]),
      let signature = Base64URL.bytes(of: parts[2])
    else { throw Self.malformed("is not in Base64 for URLs") }
    self.header = try Self.decode(Header.self, from: header, "header")
    // RFC 7515, section 4.1.11: what an extension changes must be understood; none is here.
    guard self.header.crit == nil, self.header.b64 ?? true else {
      throw Self.malformed("requires an extension")
    }
    signedBytes = Array(bytes[..<parts[1].endIndex])
    self.signature = signature
    self.claims = claims
  }

  /// The claims, which say nothing until the signature is verified.
  ///
  /// - Throws: ``IdentityError`` (`malformedToken`).
  func decodeClaims() throws(IdentityError) -> TokenClaims {
    try Self.decode(TokenClaims.self, from: claims, "claims")
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], _ part: String
  ) throws(IdentityError) -> Value {
    let decoder = JSON.Decoder()
    decoder.duplicateKeyPolicy = .error
    decoder.maximumDepth = maximumDepth
    do {
      // The decoder would also read UTF-16 and UTF-32; a token is in UTF-8.
      guard !bytes.contains(0) else { throw malformed("is not in UTF-8") }
      return try decoder.decode(type, from: bytes)
    } catch {
      // The decoder's error contains an excerpt of the token.
      throw malformed("has \(part) that are not the JSON of a sign-in")
    }
  }

  private static func malformed(_ problem: String) -> IdentityError {
    IdentityError(.malformedToken, "the token \(problem)")
  }
}
#endif
