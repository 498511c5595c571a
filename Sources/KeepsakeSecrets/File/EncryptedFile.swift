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

/// Secrets in one encrypted file, which any number of processes use.
final class EncryptedFile: SecretBackend {
  let path: FilePath
  let identifier: String
  let witness: FilePath?
  let files: any FileSystem
  private let state: Mutex<State>

  struct State {
    /// What opens the file; another after its rotation.
    var key: SecretsKey
    /// What the file held when it was last looked at.
    var opened: OpenedFile?
    /// The newest generation that was seen.
    var newest: UInt64 = 0
    var lock: (any FileLock)?
  }

  init(
    path: FilePath, identifier: String, key: SecretsKey, witness: FilePath?, files: any FileSystem
  ) {
    self.path = path
    self.identifier = identifier
    self.witness = witness
    self.files = files
    state = Mutex(State(key: key))
  }

  // MARK: Reading

  func names() throws(SecretError) -> [String] {
    try state.withLock { (state) throws(SecretError) in
      try open(&state)?.contents.secrets.keys.sorted() ?? []
    }
  }

  func bytes(for name: String) throws(SecretError) -> [UInt8]? {
    try state.withLock { (state) throws(SecretError) in
      guard let opened = try open(&state) else { return nil }
      return try locating { () throws(SecretError) in
        try opened.contents.open(name, with: opened.dataKey)
      }
    }
  }

  /// The file as it is now, or `nil` where there is none.
  func open(_ state: inout State) throws(SecretError) -> OpenedFile? {
    let found = try reading { () throws(FileError) in try files.information(at: path) }
    if let opened = state.opened, let found, opened.information == found { return opened }
    let known = state.opened
    state.opened = nil
    let opened = try found.map { (found) throws(SecretError) in
      try read(found, key: state.key, known: known)
    }
    if let opened, !opened.contents.isSealed(with: opened.dataKey) {
      throw SecretError(
        .damaged,
        "the store was damaged or changed by someone else; it is kept as it is, and what is good "
          + "in it can be recovered",
        file: path)
    }
    try checkAge(opened?.contents.generation ?? 0, state)
    state.opened = opened
    state.newest = opened?.contents.generation ?? state.newest
    return opened
  }

  /// Reads and decrypts the file's key, without a look at the seal.
  private func read(
    _ found: FileInformation, key: SecretsKey, known: OpenedFile?, remains: Bool = false
  ) throws(SecretError) -> OpenedFile {
    guard let bytes = try reading({ () throws(FileError) in try files.readFile(at: path) }) else {
      throw SecretError(.unavailable, "the store was removed while it was read", file: path)
    }
    let contents = try decode(bytes, remains: remains)
    return try locating { () throws(SecretError) in
      // A passphrase takes its time; as long as the salt stays, its key does.
      let wrappingKey =
        if let known, known.contents.key.salt == contents.key.salt { known.wrappingKey } else {
          try contents.key.wrappingKey(from: key, in: files)
        }
      guard let dataKey = contents.key.unwrap(of: identifier, with: wrappingKey) else {
        throw SecretError(
          .wrongKey,
          "\(key) does not open the store, or the store's own key was damaged; nothing was changed")
      }
      return OpenedFile(
        information: found, bytes: bytes, contents: contents, wrappingKey: wrappingKey,
        dataKey: dataKey)
    }
  }

  /// - Parameter remains: Whether what is left is enough where the whole cannot be read.
  private func decode(_ bytes: [UInt8], remains: Bool) throws(SecretError) -> SealedFile {
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
    } catch let error as SecretError {
      throw error
    } catch {
      if remains, let remains = SealedFile(remainsOf: bytes, store: identifier) { return remains }
      throw SecretError(
        .damaged, "the store cannot be read; it is kept as it is", file: path, cause: error)
    }
    // Its key, which opens under the right name alone, says whether only the name was damaged.
    if remains { contents.store = identifier }
    guard contents.store == identifier else {
      throw SecretError(
        .damaged, "the file holds the secrets of '\(contents.store)', not of '\(identifier)'",
        file: path)
    }
    return contents
  }

  // MARK: Age

  private func checkAge(_ generation: UInt64, _ state: State) throws(SecretError) {
    let newest = max(state.newest, try witnessedGeneration() ?? 0)
    guard generation < newest else { return }
    throw SecretError(
      .rolledBack,
      generation == 0
        ? "the store was removed; if that was meant, accept it"
        : "an older copy of the store (generation \(generation)) is in the place of a newer one "
          + "(\(newest)); if that was meant, accept it",
      file: path)
  }

  private func witnessedGeneration() throws(SecretError) -> UInt64? {
    guard let witness else { return nil }
    let bytes = try reading { () throws(FileError) in try files.readFile(at: witness) }
    guard let bytes else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let number = UInt64(text.prefix { $0 != "\n" }) else {
      throw SecretError(.damaged, "the witness is no number", file: witness)
    }
    return number
  }

  private func tellWitness(_ generation: UInt64) throws(FileError) {
    guard let witness else { return }
    let directory = witness.removingLastComponent()
    if !directory.isEmpty { try files.createDirectories(directory) }
    try files.replaceFile(at: witness, with: Array("\(generation)\n".utf8))
  }

  func acceptRollback() throws(SecretError) {
    try locked { (state) throws(SecretError) in
      let found = try reading { () throws(FileError) in try files.information(at: path) }
      let opened = try found.map { (found) throws(SecretError) in
        try read(found, key: state.key, known: state.opened)
      }
      let generation = opened?.contents.generation ?? 0
      try writing { () throws(FileError) in try tellWitness(generation) }
      state.newest = generation
      state.opened = nil
    }.get()
  }

  // MARK: Writing

  func update(_ body: (inout SecretChanges) throws -> Void) throws {
    try locked { state in
      let opened = try open(&state)
      var changes = SecretChanges { (name) throws(SecretError) in
        try opened?.contents.open(name, with: opened!.dataKey)
      }
      try body(&changes)
      if changes.changes.isEmpty { return }
      // A file is made for a secret, not for the absence of one.
      if opened == nil, changes.changes.values.allSatisfy({ $0 == nil }) { return }
      var new = try opened ?? create(with: state.key)
      new.contents.generation += 1
      for (name, bytes) in changes.changes {
        if let bytes {
          try new.contents.seal(bytes, as: name, with: new.dataKey)
        } else {
          new.contents.secrets[name] = nil
        }
      }
      try write(&new, &state)
    }.get()
  }

  func rotateKey(to key: SecretsKey?) throws(SecretError) {
    try locked { (state) throws(SecretError) in
      guard let old = try open(&state) else {
        if let key { state.key = key }
        return
      }
      let key = key ?? state.key
      var new = try create(with: key)
      new.contents.generation = old.contents.generation + 1
      for name in old.contents.secrets.keys {
        let bytes = try locating { () throws(SecretError) in
          try old.contents.open(name, with: old.dataKey)
        }
        try new.contents.seal(bytes!, as: name, with: new.dataKey)
      }
      try write(&new, &state)
      state.key = key
    }.get()
  }

  func recover() throws(SecretError) -> SecretRecovery {
    try locked { (state) throws(SecretError) in
      guard let found = try reading({ () throws(FileError) in try files.information(at: path) })
      else { throw SecretError(.unavailable, "there is no store", file: path) }
      let old = try read(found, key: state.key, known: nil, remains: true)
      var new = try create(with: state.key)
      // A number that nobody can have come to was put there; counting would end with it.
      let seen = [old.contents.generation, state.newest, try witnessedGeneration() ?? 0]
      new.contents.generation = (seen.filter { $0 < 1 << 62 }.max() ?? 0) + 1
      var versions: [String: UInt64] = [:]
      var lost: Set<String> = []
      for (name, secret) in SealedFile.records(in: old.bytes) {
        if let bytes = try? old.contents.open(secret, as: name, with: old.dataKey),
          secret.version >= versions[name] ?? 0
        {
          try new.contents.seal(bytes, as: name, with: new.dataKey)
          versions[name] = secret.version
        } else {
          lost.insert(name)
        }
      }
      let aside = try writing { () throws(FileError) in
        try files.quarantine(old.bytes, of: path, as: "damaged")
      }
      try write(&new, &state)
      return SecretRecovery(
        kept: versions.keys.sorted(), lost: lost.subtracting(versions.keys).sorted(),
        isComplete: (try? decode(old.bytes, remains: false)) != nil, setAside: aside)
    }.get()
  }

  /// A store without secrets, with a data key of its own.
  private func create(with key: SecretsKey) throws(SecretError) -> OpenedFile {
    if case .file(let path) = key.source {
      do throws(FileError) {
        try KeyMaterial.create(path, in: files)
      } catch {
        throw SecretError(.keyUnavailable, "the key file cannot be made", file: path, cause: error)
      }
    }
    var wrapped = WrappedKey(for: key)
    let wrappingKey = try wrapped.wrappingKey(from: key, in: files)
    let dataKey = SymmetricKey(size: .bits256)
    try wrapped.wrap(dataKey, of: identifier, with: wrappingKey)
    return OpenedFile(
      information: nil, bytes: [],
      contents: SealedFile(store: identifier, generation: 0, key: wrapped, secrets: [:]),
      wrappingKey: wrappingKey, dataKey: dataKey)
  }

  private func write(_ new: inout OpenedFile, _ state: inout State) throws(SecretError) {
    new.contents.renewSeal(with: new.dataKey)
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      new.bytes = try encoder.encodeBytes(new.contents) + [0x0A]
    } catch {
      throw SecretError(.notWritten, "the store cannot be encoded", file: path, cause: error)
    }
    let bytes = new.bytes
    // Whatever comes of it, the file is looked at again.
    state.opened = nil
    try writing { () throws(FileError) in
      try files.removeLeftovers(of: [path], in: path.removingLastComponent())
      try files.replaceFile(at: path, with: bytes)
    }
    state.newest = new.contents.generation
    let generation = new.contents.generation
    do throws(FileError) {
      try tellWitness(generation)
    } catch {
      throw SecretError(
        .notWritten, "the change is kept, but the witness could not be told", file: witness,
        cause: error)
    }
    // Its wrapping key need not be made again.
    new.information = try? files.information(at: path)
    state.opened = new
  }

  /// Does something while no other thread or process does.
  ///
  /// - Throws: ``SecretError`` where the lock cannot be had; what the body throws is in the result.
  private func locked<Success, Failure>(
    _ body: (inout State) throws(Failure) -> Success
  ) throws(SecretError) -> Result<Success, Failure> {
    try state.withLock { (state) throws(SecretError) in
      let lock = try writing { () throws(FileError) in
        if let lock = state.lock { return lock }
        let directory = path.removingLastComponent()
        if !directory.isEmpty { try files.createDirectories(directory) }
        return try files.lock(at: lockPath)
      }
      state.lock = lock
      try writing { () throws(FileError) in try lock.acquire() }
      defer { lock.release() }
      do throws(Failure) {
        return .success(try body(&state))
      } catch {
        return .failure(error)
      }
    }
  }

  private var lockPath: FilePath {
    path.removingLastComponent().appending("\(path.lastComponent?.string ?? "").lock")
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

  private func writing<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(SecretError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw SecretError(.notWritten, "the store cannot be written", file: path, cause: error)
    }
  }

  private func locating<Result>(
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

/// An encrypted file that was opened with its key.
struct OpenedFile {
  /// What the file was when it was read, or `nil` where it must be read again.
  var information: FileInformation?
  var bytes: [UInt8]
  var contents: SealedFile
  let wrappingKey: SymmetricKey
  let dataKey: SymmetricKey
}
#endif
