#if Secrets
public import KeepsakeFiles
public import SystemPackage

/// Passwords, tokens and keys, encrypted so that backups, logs and other users do not reveal them.
///
/// ```swift
/// let secrets = SecretStore(key: .keyFile("/media/key/app.key"))
/// try secrets.set(token, for: "openai")
/// let token: String? = try secrets.value(for: "openai")
/// ```
///
/// The initializer determines where the secrets are: in an encrypted file
/// (``init(container:key:witness:fileSystem:onProblem:)``), in the desktop's Secret Service
/// (``secretService(identifier:)``), or only in memory (``inMemory()``). If that cannot be reached, an
/// error is thrown; no store falls back on another. `SECURITY.md` lists what an encrypted file protects
/// against, and what it does not.
///
/// Names are compared by their UTF-8 bytes. All methods block the caller during disk I/O. A change in
/// a file survives a power cut as soon as the method returns.
public final class SecretStore: Sendable {
  private let backend: any SecretBackend

  private init(backend: any SecretBackend) {
    self.backend = backend
  }

  /// Opens an encrypted file, `secrets.json`, in an app's directories.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - key: The key that opens the file.
  ///   - witness: A file on another disk that contains the newest generation of the store, so that an
  ///     older copy of the store is detected.
  ///   - fileSystem: The file system that contains the directories.
  ///   - onProblem: Receives every problem that is not thrown to a caller: that other users could
  ///     access a file or the directory of the store. It is called soon after, on a thread that holds
  ///     no lock. By default problems are written to the standard error.
  public convenience init(
    container: AppContainer = .main, key: SecretsKey, witness: FilePath? = nil,
    fileSystem: some FileSystem = LocalFileSystem(),
    onProblem: (@Sendable (SecretError) -> Void)? = nil
  ) {
    self.init(
      backend: EncryptedFile(
        path: container.applicationSupport.appending("secrets.json"),
        identifier: container.identifier, key: key, witness: witness, ownsDirectory: true,
        files: fileSystem, onProblem: onProblem ?? Self.log))
  }

  /// Opens an encrypted file.
  ///
  /// - Parameters:
  ///   - file: The file, created with the first secret.
  ///   - identifier: The store's name; a file with the secrets of another store is refused.
  ///   - key: The key that opens the file.
  ///   - witness: A file on another disk that contains the newest generation of the store, so that an
  ///     older copy of the store is detected.
  ///   - fileSystem: The file system that contains the file.
  ///   - onProblem: Receives every problem that is not thrown to a caller: that other users could
  ///     access a file of the store. It is called soon after, on a thread that holds no lock. By
  ///     default problems are written to the standard error.
  public convenience init(
    file: FilePath, identifier: String, key: SecretsKey, witness: FilePath? = nil,
    fileSystem: some FileSystem = LocalFileSystem(),
    onProblem: (@Sendable (SecretError) -> Void)? = nil
  ) {
    self.init(
      backend: EncryptedFile(
        path: file, identifier: identifier, key: key, witness: witness, ownsDirectory: false,
        files: fileSystem, onProblem: onProblem ?? Self.log))
  }

  /// Creates a store in memory, for tests and previews.
  public static func inMemory() -> SecretStore {
    SecretStore(backend: SecretMemory())
  }

  /// Opens the Secret Service of the user's desktop (GNOME Keyring, KWallet) through `secret-tool`,
  /// which must be installed.
  ///
  /// The service determines when a secret is safe on the disk. A secret whose JSON has more than 6,141
  /// bytes is refused. Each change is made by itself: a transaction that fails has made the changes
  /// before the error.
  ///
  /// - Parameter identifier: The app's name among all apps.
  /// - SeeAlso: [Secret Service API](https://specifications.freedesktop.org/secret-service-spec/)
  public static func secretService(identifier: String) -> SecretStore {
    SecretStore(backend: SecretService(identifier: identifier))
  }

  private static func log(_ problem: SecretError) {
    _ = try? FileDescriptor.standardError.writeAll("keepsake.secrets: \(problem)\n".utf8)
  }

  // MARK: Secrets

  /// The names of all secrets, sorted by their UTF-8 bytes.
  ///
  /// - Throws: ``SecretError`` if the store cannot be read.
  public func names() throws(SecretError) -> [String] {
    try backend.names().map(\.string)
  }

  /// A secret, or `nil` if there is none of the name.
  ///
  /// - Throws: ``SecretError`` if it cannot be read, or is not of the type.
  public func value<Value: Decodable>(
    for name: String, as type: Value.Type = Value.self
  ) throws(SecretError) -> Value? {
    try backend.bytes(for: SecretName(name)).map { (bytes) throws(SecretError) in
      try SecretCoding.decode(type, from: bytes, of: name)
    }
  }

  /// Keeps a secret under a name, in place of any that has the name.
  ///
  /// - Throws: ``SecretError``, which says what is kept.
  public func set(_ value: some Encodable, for name: String) throws(SecretError) {
    let bytes = try SecretCoding.encode(value, of: name)
    try change { $0.changes[SecretName(name)] = .some(bytes) }
  }

  /// Removes a secret, if there is one of the name.
  ///
  /// - Throws: ``SecretError``, which says what is kept.
  public func remove(_ name: String) throws(SecretError) {
    try change { $0.changes[SecretName(name)] = .some(nil) }
  }

  /// Changes several secrets together: all are kept or, if an error is thrown, none.
  ///
  /// No other thread changes the store meanwhile. If another process does, because the file of their
  /// lock was removed, the body is called again. It must not use the store itself.
  ///
  /// - Throws: ``SecretError``; any error that the body throws.
  public func transaction<Result>(
    _ body: (inout SecretStore.Transaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    try backend.update { changes in
      var transaction = SecretStore.Transaction(changes: changes)
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

  /// Encrypts all secrets again with a new data key, in one change.
  ///
  /// - Parameter key: The key that opens the store from now on; by default the same as before. Other
  ///   processes that still use the old key are then refused.
  /// - Throws: ``SecretError``; the store is then unchanged. The code is `keyUnavailable` if the store
  ///   keeps its key file and that is missing, and `unavailable` if the store is not a file.
  public func rotateKey(to key: SecretsKey? = nil) throws(SecretError) {
    try encryptedFile().rotateKey(to: key)
  }

  /// Keeps the secrets of a damaged file that can still be decrypted, and quarantines the file.
  ///
  /// - Returns: The names of the secrets that were kept and lost.
  /// - Throws: ``SecretError`` if nothing can be recovered; the file is then unchanged.
  public func recover() throws(SecretError) -> SecretRecovery {
    try encryptedFile().recover()
  }

  /// Accepts an older copy of the store as the current one, for example after a backup was restored.
  ///
  /// - Throws: ``SecretError`` if the store cannot be read, was changed without its key (`damaged`),
  ///   or the witness cannot be written.
  public func acceptRollback() throws(SecretError) {
    try encryptedFile().acceptRollback()
  }

  private func encryptedFile() throws(SecretError) -> EncryptedFile {
    guard let file = backend as? EncryptedFile else {
      throw SecretError(.unavailable, "the store is not an encrypted file")
    }
    return file
  }
}
#endif
