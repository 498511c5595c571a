#if Secrets
/// A location that contains the secrets of a ``SecretStore``, each as bytes under a name.
protocol SecretBackend: Sendable {
  /// The names of all secrets, sorted.
  func names() throws(SecretError) -> [SecretName]

  /// One secret, or `nil` if there is none of the name.
  func bytes(for name: SecretName) throws(SecretError) -> [UInt8]?

  /// Makes changes together.
  ///
  /// - Parameter body: Reads secrets and adds changes; it is called again if another process changed
  ///   the secrets meanwhile. If it throws, the error is thrown and nothing changes.
  func update(_ body: (inout SecretChanges) throws -> Void) throws
}

/// Changes that are made together.
struct SecretChanges {
  /// The new bytes of each name that changes, `nil` for a secret that is removed.
  var changes: [SecretName: [UInt8]?] = [:]
  /// Reads a secret as it is before the changes.
  let stored: (SecretName) throws(SecretError) -> [UInt8]?
}
#endif
