#if Secrets
/// Where the secrets of a ``SecretStore`` are kept; each is bytes under a name.
protocol SecretBackend: Sendable {
  /// The names of all secrets, sorted.
  func names() throws(SecretError) -> [String]

  /// One secret, or `nil` where there is none of the name.
  func bytes(for name: String) throws(SecretError) -> [UInt8]?

  /// Asks what shall change, and changes it.
  ///
  /// - Parameter body: Called once with a look at the secrets; what it throws is thrown on, and
  ///   nothing changes.
  func update(_ body: (inout SecretChanges) throws -> Void) throws
}

/// Changes that are to be made together.
struct SecretChanges {
  /// The new bytes of each name that changes, `nil` where it is removed.
  var changes: [String: [UInt8]?] = [:]
  /// Finds what the store holds.
  let stored: (String) throws(SecretError) -> [UInt8]?
}
#endif
