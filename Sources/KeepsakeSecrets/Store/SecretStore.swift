#if Secrets
public import KeepsakeFiles
public import SystemPackage

/// Passwords, tokens and keys, kept where backups, logs and other users do not find them in the
/// clear.
///
/// ```swift
/// let secrets = SecretStore(key: .keyFile("/media/key/app.key"))
/// try secrets.set(token, for: "openai")
/// let token: String? = try secrets.value(for: "openai")
/// ```
///
/// Where the secrets are is chosen when the store is made, and never otherwise: an encrypted file
/// (``init(container:key:witness:in:)``), the desktop's Secret Service
/// (``secretService(identifier:)``), or memory alone (``inMemory()``). What cannot be reached is an
/// error; no store falls back on another. What an encrypted file protects against, and what it
/// does not, is said in `SECURITY.md`.
///
/// The calls block the caller while the disk works. A change that has returned survives a power
/// cut where the store is a file.
public final class SecretStore: Sendable {
  private let backend: any SecretBackend

  private init(backend: any SecretBackend) {
    self.backend = backend
  }

  /// An encrypted file, `secrets.json`, in an app's directories.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - key: What opens the file.
  ///   - witness: A file on another disk that remembers how far the store has come, so that an
  ///     older copy of the store is known for one.
  ///   - fileSystem: Where the file is.
  public convenience init(
    container: AppContainer = .main, key: SecretsKey, witness: FilePath? = nil,
    in fileSystem: some FileSystem = LocalFileSystem()
  ) {
    self.init(
      file: container.applicationSupport.appending("secrets.json"),
      identifier: container.identifier, key: key, witness: witness, in: fileSystem)
  }

  /// An encrypted file.
  ///
  /// - Parameters:
  ///   - file: The file, made with the first secret.
  ///   - identifier: What the store is called; a file with another's secrets is refused.
  ///   - key: What opens the file.
  ///   - witness: A file on another disk that remembers how far the store has come, so that an
  ///     older copy of the store is known for one.
  ///   - fileSystem: Where the file is.
  public convenience init(
    file: FilePath, identifier: String, key: SecretsKey, witness: FilePath? = nil,
    in fileSystem: some FileSystem = LocalFileSystem()
  ) {
    self.init(
      backend: EncryptedFile(
        path: file, identifier: identifier, key: key, witness: witness, files: fileSystem))
  }

  /// A store that lasts as long as the object: for tests and previews.
  public static func inMemory() -> SecretStore {
    SecretStore(backend: SecretMemory())
  }

  /// The Secret Service of the user's desktop (GNOME Keyring, KWallet), asked through
  /// `secret-tool`, which must be installed.
  ///
  /// The service decides when a secret is safe on the disk, and each is changed by itself: a
  /// transaction that fails half-way leaves what it had done.
  ///
  /// - Parameter identifier: What the app is called among all apps.
  /// - SeeAlso: [Secret Service API](https://specifications.freedesktop.org/secret-service-spec/)
  public static func secretService(identifier: String) -> SecretStore {
    SecretStore(backend: SecretService(identifier: identifier, environment: nil))
  }

  // MARK: Secrets

  /// The names of all secrets, sorted.
  ///
  /// - Throws: ``SecretError`` where the store cannot be read.
  public func names() throws(SecretError) -> [String] {
    try backend.names()
  }

  /// A secret, or `nil` where there is none of the name.
  ///
  /// - Throws: ``SecretError`` where it cannot be read, or is not of the type.
  public func value<Value: Decodable>(
    for name: String, as type: Value.Type = Value.self
  ) throws(SecretError) -> Value? {
    try backend.bytes(for: name).map { (bytes) throws(SecretError) in
      try SecretCoding.decode(type, from: bytes, of: name)
    }
  }

  /// Keeps a secret under a name, in place of any that it has.
  ///
  /// - Throws: ``SecretError``, which says what is kept.
  public func set(_ value: some Encodable, for name: String) throws(SecretError) {
    let bytes = try SecretCoding.encode(value, of: name)
    try change { $0.changes[name] = .some(bytes) }
  }

  /// Forgets a secret, if there is one of the name.
  ///
  /// - Throws: ``SecretError``, which says what is kept.
  public func remove(_ name: String) throws(SecretError) {
    try change { $0.changes[name] = .some(nil) }
  }

  /// Changes several secrets together: all are kept or, where anything throws, none.
  ///
  /// No other thread or process changes the store meanwhile. The store itself must not be used in
  /// the body.
  ///
  /// - Throws: ``SecretError``; whatever the body throws.
  public func update<Result>(
    _ body: (inout SecretTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    try backend.update { changes in
      var transaction = SecretTransaction(changes: changes)
      result = try body(&transaction)
      changes = transaction.changes
    }
    return result!
  }

  private func change(_ body: (inout SecretChanges) -> Void) throws(SecretError) {
    do {
      try backend.update(body)
    } catch let error as SecretError {
      throw error
    } catch {
      // The body throws nothing.
      throw SecretError(.unavailable, "the store failed", cause: error)
    }
  }

  // MARK: The file

  /// Encrypts all secrets anew with a new data key, in one change.
  ///
  /// - Parameter key: What opens the store from now on; what opened it before unless given. Other
  ///   processes that still use the old key are then refused.
  /// - Throws: ``SecretError``; the store is then as it was. A store that is no file has no key of
  ///   its own to change and throws `unavailable`.
  public func rotateKey(to key: SecretsKey? = nil) throws(SecretError) {
    try encryptedFile().rotateKey(to: key)
  }

  /// Keeps what can still be decrypted of a damaged file, and sets the file aside as it was.
  ///
  /// - Returns: What was kept and what was lost.
  /// - Throws: ``SecretError`` where nothing can be recovered; the file is then as it was.
  public func recover() throws(SecretError) -> SecretRecovery {
    try encryptedFile().recover()
  }

  /// Takes an older copy of the store for the true one, such as after a backup was put back.
  ///
  /// - Throws: ``SecretError`` where the store cannot be read or the witness not written.
  public func acceptRollback() throws(SecretError) {
    try encryptedFile().acceptRollback()
  }

  private func encryptedFile() throws(SecretError) -> EncryptedFile {
    guard let file = backend as? EncryptedFile else {
      throw SecretError(.unavailable, "the store is no encrypted file")
    }
    return file
  }
}
#endif
