#if Identity
import Crypto
import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension VerifiedIdentity {
  /// A user as the provider knows them: an identifier that never changes, among those of one team.
  ///
  /// Two subjects are equal if issuer, team and identifier have the same UTF-8 bytes.
  public struct Subject: Sendable {
    /// The provider that gave the identifier.
    public let provider: IdentityProvider
    /// The `sub` claim, or `ASAuthorizationAppleIDCredential.user`.
    public let identifier: String

    /// Creates a subject. It proves nothing: a server receives one in a ``VerifiedIdentity``.
    public init(_ identifier: String, of provider: IdentityProvider) {
      self.identifier = identifier
      self.provider = provider
    }

    /// A name for what is stored about the subject, in which the identifier cannot be read.
    func storedName(_ kind: String) -> String {
      var hash = SHA256()
      // The length of each part comes before it, so that no two subjects have the same bytes.
      for part in [provider.issuer, provider.team, identifier] {
        let bytes = Array(part.utf8)
        withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
      }
      return "identity.\(kind).\(Hexadecimal.text(of: hash.finalize()))"
    }
  }
}

extension VerifiedIdentity.Subject: Hashable {
  /// Whether issuer, team and identifier have the same bytes.
  public static func == (one: VerifiedIdentity.Subject, other: VerifiedIdentity.Subject) -> Bool {
    one.bytes == other.bytes
  }

  /// Hashes the bytes of issuer, team and identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  private var bytes: [[UInt8]] {
    [provider.issuer, provider.team, identifier].map { Array($0.utf8) }
  }
}
#endif
