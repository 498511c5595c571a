public import SystemPackage

/// What became of the secrets in a damaged store.
public struct SecretRecovery: Hashable, Sendable {
  /// The names of the secrets that were kept, sorted.
  public let kept: [String]
  /// The names of the secrets that cannot be decrypted any more, sorted.
  public let lost: [String]
  /// Where the damaged file is now.
  public let setAside: FilePath
}
