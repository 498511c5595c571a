#if Secrets
import Crypto
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Secrets in one encrypted file that any number of processes can use.
final class EncryptedFile: SecretBackend {
  let path: FilePath
  let identifier: String
  let files: any FileSystem
  let witness: Witness?
  /// Whether the file's directory is the app's alone.
  private let ownsDirectory: Bool
  private let reporter: ProblemReporter<SecretError>
  let state: Mutex<State>

  struct State {
    /// The key that opens the file; another one after a rotation.
    var key: SecretsKey
    /// The file as it was last read or written.
    var opened: OpenedFile?
    /// The last wrapping key, and the salt that it was derived with.
    var derived: (salt: Data, key: SymmetricKey)?
    /// The newest generation that was read or written.
    var newest: UInt64 = 0
    var lock: (any FileLock)?
    var hasCheckedAccess = false
    var hasRemovedLeftovers = false
    /// The files that other users can access although they were reported.
    var exposed: Set<FilePath> = []
  }

  init(
    path: FilePath, identifier: String, key: SecretsKey, witness: FilePath?,
    ownsDirectory: Bool, files: any FileSystem, onProblem: @escaping @Sendable (SecretError) -> Void
  ) {
    self.path = path
    self.identifier = identifier
    self.files = files
    self.witness = witness.map { Witness(path: $0, files: files) }
    self.ownsDirectory = ownsDirectory
    reporter = ProblemReporter(onProblem)
    state = Mutex(State(key: key))
  }

  // MARK: Reading

  func names() throws(SecretError) -> [SecretName] {
    try state.withLock { (state) throws(SecretError) in
      try open(&state)?.contents.secrets.keys.sorted() ?? []
    }
  }

  func bytes(for name: SecretName) throws(SecretError) -> [UInt8]? {
    try state.withLock { (state) throws(SecretError) in
      guard let opened = try open(&state) else { return nil }
      return try locating { () throws(SecretError) in
        try opened.contents.open(name, with: opened.dataKey)
      }
    }
  }

  /// The current file, or `nil` if there is none.
  func open(_ state: inout State) throws(SecretError) -> OpenedFile? {
    if !state.hasCheckedAccess {
      state.hasCheckedAccess = true
      for path in companions { _ = try narrowAccess(to: path, &state) }
    }
    let found = try narrowAccess(to: path, &state)
    if let opened = state.opened, let found, opened.information == found { return opened }
    state.opened = nil
    var opened = try read(&state)
    if let new = opened {
      try checkSeal(of: new)
      opened?.contents.restoreNames(with: new.dataKey)
    }
    let generation = opened?.contents.generation ?? 0
    try checkAge(generation, state)
    state.opened = opened
    state.newest = generation
    return opened
  }

  /// Reads the file and decrypts its data key, but does not verify the seal.
  ///
  /// - Parameter recovers: Whether incomplete content is enough.
  /// - Returns: `nil` if there is no file.
  func read(_ state: inout State, recovers: Bool = false) throws(SecretError) -> OpenedFile? {
    let found = try reading { () throws(FileError) in try files.openAndReadFile(at: path) }
    guard let (file, information, bytes) = found else { return nil }
    let contents = try decode(bytes, recovers: recovers)
    let key = state.key
    // A passphrase takes long; its key stays the same as long as the salt does.
    let derived = state.derived.flatMap { $0.salt == contents.key.salt ? $0.key : nil }
    let opened = try locating { () throws(SecretError) in
      let wrappingKey =
        if let derived { derived } else { try contents.key.wrappingKey(from: key, in: files) }
      return OpenedFile(
        file: file, information: information, bytes: bytes, contents: contents,
        wrappingKey: wrappingKey, dataKey: try unwrap(contents, with: wrappingKey, from: key))
    }
    state.derived = (contents.key.salt, opened.wrappingKey)
    return opened
  }

  private func unwrap(
    _ contents: SealedFile, with wrappingKey: SymmetricKey, from key: SecretsKey
  ) throws(SecretError) -> SymmetricKey {
    if let dataKey = contents.key.unwrap(of: identifier, with: wrappingKey) { return dataKey }
    throw SecretError(
      .wrongKey,
      "\(key) does not open the store, or the store's data key was damaged; nothing was changed",
      file: path)
  }

  /// Throws unless a key, as it is on the disk now, opens the file.
  func verify(_ key: SecretsKey, opens opened: OpenedFile) throws(SecretError) {
    try locating { () throws(SecretError) in
      let wrappingKey = try opened.contents.key.wrappingKey(from: key, in: files)
      _ = try unwrap(opened.contents, with: wrappingKey, from: key)
    }
  }

  /// - Parameter recovers: Whether incomplete content is enough if the file cannot be decoded.
  func decode(_ bytes: [UInt8], recovers: Bool) throws(SecretError) -> SealedFile {
    var contents: SealedFile
    do {
      struct Format: Decodable { var format: Int }
      let decoder = JSON.Decoder()
      decoder.duplicateKeyPolicy = .error
      let format = try decoder.decode(Format.self, from: bytes).format
      guard format <= SealedFile.currentFormat else {
        throw SecretError(
          .newerFormat, "the store has the format \(format), which this version does not know",
          file: path)
      }
      contents = try decoder.decode(SealedFile.self, from: bytes)
      contents.restoreEqualNames(from: bytes)
    } catch let error as SecretError {
      throw error
    } catch {
      if recovers, let rest = SealedFile(recovering: bytes, store: identifier) { return rest }
      throw SecretError(
        .damaged, "the store cannot be read; it is kept unchanged", file: path, cause: error)
    }
    // The data key is decrypted only with the right identifier, which may be the damaged part.
    if recovers { contents.store = identifier }
    guard contents.store.utf8.elementsEqual(identifier.utf8) else {
      throw SecretError(
        .damaged, "the file contains the secrets of '\(contents.store)', not of '\(identifier)'",
        file: path)
    }
    return contents
  }

  /// Throws if the file was changed without its key.
  func checkSeal(of opened: OpenedFile) throws(SecretError) {
    if opened.contents.isSealed(with: opened.dataKey) { return }
    throw SecretError(
      .damaged,
      "the store was damaged or changed by someone else; it is kept unchanged, and its intact "
        + "secrets can be recovered",
      file: path)
  }

  private func checkAge(_ generation: UInt64, _ state: State) throws(SecretError) {
    let newest = max(state.newest, try witness?.generation() ?? 0)
    guard generation < newest else { return }
    throw SecretError(
      .rolledBack,
      generation == 0
        ? "the store was removed; if that was intended, accept it"
        : "an older copy of the store (generation \(generation)) is in the place of a newer one "
          + "(\(newest)); if that was intended, accept it",
      file: path)
  }

  // MARK: Access of other users

  /// The files that belong to the store, and its directory if that is the app's alone.
  private var companions: [FilePath] {
    [lockPath] + (witness.map { [$0.path] } ?? [])
      + (ownsDirectory ? [path.removingLastComponent()] : [])
  }

  /// Removes and reports the access of other users to a file.
  ///
  /// - Returns: The attributes of the file, or `nil` if there is none.
  private func narrowAccess(
    to path: FilePath, _ state: inout State
  ) throws(SecretError) -> FileInformation? {
    let found = try reading { () throws(FileError) in try files.information(at: path) }
    guard let found, !state.exposed.contains(path),
      let problem = FileAccess.narrow(path, found, in: files)
    else { return found }
    if problem.cause != nil { state.exposed.insert(path) }
    reporter.report(problem)
    return try reading { () throws(FileError) in try files.information(at: path) }
  }

  // MARK: Errors

  private func reading<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(SecretError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw SecretError(.unavailable, "the store cannot be read", file: path, cause: error)
    }
  }

  func writing<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(SecretError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw SecretError(.notWritten, "the store cannot be written", file: path, cause: error)
    }
  }

  func locating<Result>(
    _ body: () throws(SecretError) -> Result
  ) throws(SecretError) -> Result {
    do throws(SecretError) {
      return try body()
    } catch {
      var error = error
      error.file = error.file ?? path
      throw error
    }
  }
}
#endif
