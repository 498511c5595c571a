#if Secrets
public import SystemPackage

/// What opens an encrypted store: a key file, a credential of the service manager, or a passphrase.
public struct SecretsKey: Sendable {
  enum Source: Sendable {
    case file(FilePath)
    case credential(name: String, directory: FilePath?)
    case passphrase(String, ScryptCost)
  }

  let source: Source

  /// A file of random bytes, best on another disk than the store.
  ///
  /// - Parameter path: The file. It is made, for its owner alone, when a store is made with it; it
  ///   is refused where others may read it, or where it holds fewer than 32 bytes.
  public static func keyFile(_ path: FilePath) -> SecretsKey {
    SecretsKey(source: .file(path))
  }

  /// A credential that systemd hands to the service (`LoadCredentialEncrypted=`), of at least 32
  /// bytes.
  ///
  /// - Parameters:
  ///   - name: The credential's name.
  ///   - directory: Where credentials are; the directory that `CREDENTIALS_DIRECTORY` names by default.
  /// - SeeAlso: [System and Service Credentials](https://systemd.io/CREDENTIALS/)
  public static func credential(_ name: String, in directory: FilePath? = nil) -> SecretsKey {
    SecretsKey(source: .credential(name: name, directory: directory))
  }

  /// Words that a person knows, made into a key by scrypt (RFC 7914).
  ///
  /// - Parameters:
  ///   - words: The passphrase, byte for byte.
  ///   - cost: How much work it takes to try one, when the store is made or its key rotated; an
  ///     existing store says its own.
  public static func passphrase(_ words: String, cost: ScryptCost = .standard) -> SecretsKey {
    SecretsKey(source: .passphrase(words, cost))
  }
}

extension SecretsKey: CustomStringConvertible, CustomReflectable {
  /// What kind of key it is, and where, but nothing of the key.
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
