#if Secrets
public import SystemPackage

/// The key that opens an encrypted store: a key file, a credential of the service manager, or a
/// passphrase.
public struct SecretsKey: Sendable {
  enum Source: Sendable {
    case file(FilePath)
    case credential(name: String, directory: FilePath?)
    case passphrase(String, SecretsKey.ScryptCost)
  }

  let source: Source

  /// A file of random bytes, best on another disk than the store.
  ///
  /// - Parameter path: The file. It is created, accessible only to its owner, when a store is created
  ///   with it. It is refused if other users can access it, if it belongs to another user, or if it
  ///   contains fewer than 32 bytes.
  public static func keyFile(_ path: FilePath) -> SecretsKey {
    SecretsKey(source: .file(path))
  }

  /// A credential that systemd passes to the service (`LoadCredentialEncrypted=`), of at least 32
  /// bytes.
  ///
  /// - Parameters:
  ///   - name: The credential's name.
  ///   - directory: The directory of credentials; by default the one that `CREDENTIALS_DIRECTORY`
  ///     names.
  /// - SeeAlso: [System and Service Credentials](https://systemd.io/CREDENTIALS/)
  public static func credential(_ name: String, in directory: FilePath? = nil) -> SecretsKey {
    SecretsKey(source: .credential(name: name, directory: directory))
  }

  /// A passphrase, from which scrypt derives the key (RFC 7914).
  ///
  /// - Parameters:
  ///   - words: The passphrase, byte for byte.
  ///   - cost: The work of trying one, when the store is created or its key rotated; the file of an
  ///     existing store contains its cost.
  public static func passphrase(_ words: String, cost: SecretsKey.ScryptCost = .standard)
    -> SecretsKey
  {
    SecretsKey(source: .passphrase(words, cost))
  }

  /// Whether both keys are in the same file.
  func isInSameFile(as other: SecretsKey) -> Bool {
    guard case .file(let path) = source, case .file(let otherPath) = other.source else {
      return false
    }
    return path.lexicallyNormalized() == otherPath.lexicallyNormalized()
  }
}

extension SecretsKey: CustomStringConvertible, CustomReflectable {
  /// The kind of key, and its location, but nothing of the key.
  public var description: String {
    switch source {
    case .file(let path): "the key file \(path)"
    case .credential(let name, _): "the credential '\(name)'"
    case .passphrase: "a passphrase"
    }
  }

  /// No children: a dump shows nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
