#if Secrets
public import SystemPackage

/// What became of the secrets in a damaged store.
public struct SecretRecovery: Hashable, Sendable {
  /// The names of the secrets that were kept, sorted.
  public let kept: [String]
  /// The names of the secrets that cannot be decrypted any more, sorted.
  public let lost: [String]
  /// Whether all names were still there to be read; a file that was cut short may have had others.
  public let isComplete: Bool
  /// Where the damaged file is now.
  public let setAside: FilePath
}
#endif
