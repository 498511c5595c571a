#if !Secrets
public import KeepsakeFiles
public import SystemPackage

/// An app's secrets. Unavailable: the trait `Secrets` is off.
@available(*, unavailable, message: "Enable the trait `Secrets` of the package keepsake")
public final class SecretStore {
  /// A store in an app's directories.
  public init(container: AppContainer = .main, key: SecretsKey, witness: FilePath? = nil) {}

  /// A store in a file.
  public init(file: FilePath, identifier: String, key: SecretsKey, witness: FilePath? = nil) {}

  /// A store that lasts as long as the object.
  public static func inMemory() -> SecretStore { fatalError() }

  /// The Secret Service of the user's desktop.
  public static func secretService(identifier: String) -> SecretStore { fatalError() }
}

/// The key of an encrypted file. Unavailable: the trait `Secrets` is off.
@available(*, unavailable, message: "Enable the trait `Secrets` of the package keepsake")
public struct SecretsKey {
  /// A key in a file.
  public static func keyFile(_ path: FilePath) -> SecretsKey { fatalError() }

  /// A systemd credential.
  public static func credential(_ name: String, in directory: FilePath? = nil) -> SecretsKey {
    fatalError()
  }

  /// A passphrase.
  public static func passphrase(_ words: String) -> SecretsKey { fatalError() }
}

/// A property that is encrypted where it is encoded. Unavailable: the trait `Secrets` is off.
@available(*, unavailable, message: "Enable the trait `Secrets` of the package keepsake")
@propertyWrapper
public struct Encrypted<Value> {
  /// The property's value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// The key of such properties. Unavailable: the trait `Secrets` is off.
@available(*, unavailable, message: "Enable the trait `Secrets` of the package keepsake")
public struct EncryptionKey {}

/// An error about secrets. Unavailable: the trait `Secrets` is off.
@available(*, unavailable, message: "Enable the trait `Secrets` of the package keepsake")
public struct SecretError {}
#endif
