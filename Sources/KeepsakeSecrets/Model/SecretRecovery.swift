#if Secrets
public import SystemPackage

/// The result of recovering the secrets of a damaged store.
public struct SecretRecovery: Hashable, Sendable {
  /// The names of the secrets that were kept, sorted by their UTF-8 bytes.
  public let kept: [String]
  /// The names of the secrets that cannot be decrypted anymore, sorted by their UTF-8 bytes.
  public let lost: [String]
  /// Whether all names could be read; a truncated file may have contained others.
  public let isComplete: Bool
  /// The path of the damaged file, which is kept.
  public let quarantine: FilePath
}
#endif
