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

extension EncryptedFile {
  func update(_ body: (inout SecretChanges) throws -> Void) throws {
    try change { state in
      let opened = try open(&state)
      var changes = SecretChanges { (name) throws(SecretError) in
        try opened?.contents.open(name, with: opened!.dataKey)
      }
      try body(&changes)
      if changes.changes.isEmpty { return () }
      // A file is created for a secret, not for the absence of one.
      if opened == nil, changes.changes.values.allSatisfy({ $0 == nil }) { return () }
      var new = try opened ?? create(with: state.key, state)
      new.contents.generation += 1
      for (name, bytes) in changes.changes {
        if let bytes {
          try new.contents.seal(bytes, as: name, with: new.dataKey)
        } else {
          new.contents.secrets[name] = nil
        }
      }
      return try write(&new, replacing: opened?.information, &state) ? () : nil
    }.get()
  }

  func rotateKey(to newKey: SecretsKey?) throws(SecretError) {
    try change { (state) throws(SecretError) in
      guard let old = try open(&state) else {
        if let newKey { state.key = newKey }
        return ()
      }
      let key = newKey ?? state.key
      var new = try create(with: key, replacing: old, state)
      new.contents.generation = old.contents.generation + 1
      for name in old.contents.secrets.keys {
        let bytes = try locating { () throws(SecretError) in
          try old.contents.open(name, with: old.dataKey)
        }
        try new.contents.seal(bytes!, as: name, with: new.dataKey)
      }
      guard try write(&new, replacing: old.information, &state) else { return nil }
      state.key = key
      return ()
    }.get()
  }

  func recover() throws(SecretError) -> SecretRecovery {
    try change { (state) throws(SecretError) in
      guard let old = try read(&state, recovers: true) else {
        throw SecretError(.unavailable, "there is no store", file: path)
      }
      var new = try create(with: state.key, replacing: old, state)
      var versions: [SecretName: UInt64] = [:]
      var lost: Set<SecretName> = []
      for (found, secret) in SealedFile.records(in: old.bytes) {
        if let name = old.contents.name(of: secret, foundAs: found, with: old.dataKey),
          secret.version >= versions[name] ?? 0
        {
          let bytes = try old.contents.open(secret, as: name, with: old.dataKey)
          try new.contents.seal(bytes, as: name, with: new.dataKey)
          versions[name] = secret.version
        } else {
          lost.insert(found)
        }
      }
      // The file's generation is not authenticated: a forged one must not use up all numbers.
      let known = max(versions.values.max() ?? 0, state.newest, try witness?.generation() ?? 0)
      let claimed = old.contents.generation
      new.contents.generation = (claimed < known + (1 << 32) ? max(claimed, known) : known) + 1
      for name in versions.keys {
        let bytes = try new.contents.open(name, with: new.dataKey)
        try new.contents.seal(bytes!, as: name, with: new.dataKey)
      }
      let quarantine = try writing { () throws(FileError) in
        try files.quarantine(old.bytes, of: path, as: "damaged")
      }
      guard try write(&new, replacing: old.information, &state) else { return nil }
      return SecretRecovery(
        kept: versions.keys.sorted().map(\.string),
        lost: lost.subtracting(versions.keys).sorted().map(\.string),
        isComplete: (try? decode(old.bytes, recovers: false)) != nil, quarantine: quarantine)
    }.get()
  }

  func acceptRollback() throws(SecretError) {
    try change { (state) throws(SecretError) in
      let opened = try read(&state)
      // Anyone can write a generation; only the key's owner can seal it.
      if let opened { try checkSeal(of: opened) }
      let generation = opened?.contents.generation ?? 0
      try writing { () throws(FileError) in try witness?.write(generation) }
      state.newest = generation
      state.opened = nil
      return ()
    }.get()
  }

  /// A store without secrets, with a new data key.
  ///
  /// - Parameter old: The store that it replaces.
  private func create(
    with key: SecretsKey, replacing old: OpenedFile? = nil, _ state: State
  ) throws(SecretError) -> OpenedFile {
    if let old, key.isInSameFile(as: state.key) {
      // The store can be open although its key file was moved away: a new file in its place could not
      // open what the old one opens.
      try verify(state.key, opens: old)
    } else if case .file(let path) = key.source {
      do throws(FileError) {
        try KeyMaterial.create(path, in: files)
      } catch {
        throw SecretError(
          .keyUnavailable, "the key file cannot be created", file: path, cause: error)
      }
    }
    var wrapped = WrappedKey(for: key)
    let wrappingKey = try wrapped.wrappingKey(from: key, in: files)
    let dataKey = SymmetricKey(size: .bits256)
    try wrapped.wrap(dataKey, of: identifier, with: wrappingKey)
    return OpenedFile(
      bytes: [],
      contents: SealedFile(store: identifier, generation: 0, key: wrapped, secrets: [:]),
      wrappingKey: wrappingKey, dataKey: dataKey)
  }

  /// Replaces the file.
  ///
  /// - Parameter old: The attributes of the file that the new one is based on.
  /// - Returns: Whether it was replaced; false if another process changed it meanwhile.
  private func write(
    _ new: inout OpenedFile, replacing old: FileInformation?, _ state: inout State
  ) throws(SecretError) -> Bool {
    new.contents.renewSeal(with: new.dataKey)
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      new.bytes = try encoder.encodeToBytes(new.contents) + [0x0A]
    } catch {
      throw SecretError(.notWritten, "the store cannot be encoded", file: path, cause: error)
    }
    let bytes = new.bytes
    // The file is read again, even after an error.
    state.opened = nil
    var written: FileInformation?
    let isReplaced = try writing { () throws(FileError) in
      try files.replaceFile(at: path, ifStill: old, with: bytes, new: &written)
    }
    guard isReplaced else { return false }
    let generation = new.contents.generation
    state.newest = generation
    state.derived = (new.contents.key.salt, new.wrappingKey)
    do throws(FileError) {
      try witness?.write(generation)
    } catch {
      throw SecretError(
        .notWritten, "the change was made, but the witness could not be written",
        cause: error.leaving("it contains an older generation"))
    }
    new.file = try? files.open(path, .read)
    new.information = try? new.file?.information()
    // Another process may have replaced it again.
    if let written, new.information == written { state.opened = new }
    if let written, !state.hasRemovedLeftovers {
      state.hasRemovedLeftovers = true
      removeLeftovers(before: written.modified)
    }
    return true
  }

  /// Removes the temporary files of processes that were killed at least an hour ago while they wrote;
  /// without the lock's file, another process may write now.
  ///
  /// - Parameter now: When a file was just written: the clock of the file system may differ.
  private func removeLeftovers(before now: Int64) {
    let directory = path.removingLastComponent()
    let prefix = ".\(path.lastComponent?.string ?? "")."
    for name in (try? files.contents(ofDirectory: directory)) ?? []
    where name.hasPrefix(prefix) && name.hasSuffix(".new") {
      let leftover = directory.appending(name)
      guard let found = try? files.information(at: leftover),
        found.modified < now - 3600 * 1_000_000_000
      else { continue }
      try? files.remove(leftover)
    }
  }

  /// Changes the file while no other thread or process does.
  ///
  /// The lock alone is not enough: if its file is removed, later processes lock a new one. So a
  /// change is made only to the version of the file that it is based on.
  ///
  /// - Parameter body: Makes the change; it returns `nil` if another process changed the file
  ///   meanwhile, and is then called again.
  /// - Throws: ``SecretError`` if the lock cannot be acquired or other processes never stop to change
  ///   the file; the result contains what the body throws.
  private func change<Success, Failure>(
    _ body: (inout State) throws(Failure) -> Success?
  ) throws(SecretError) -> Result<Success, Failure> {
    try state.withLock { (state) throws(SecretError) in
      for _ in 0..<Self.maximumAttempts {
        let lock = try acquireLock(&state)
        defer { lock.release() }
        do throws(Failure) {
          if let success = try body(&state) { return .success(success) }
        } catch {
          return .failure(error)
        }
      }
      throw SecretError(
        .notWritten, "other processes changed the store at each attempt; nothing was changed",
        file: path)
    }
  }

  private static var maximumAttempts: Int { 100 }

  private func acquireLock(_ state: inout State) throws(SecretError) -> any FileLock {
    let open = state.lock
    let lock = try writing { () throws(FileError) in
      if let open { return open }
      let directory = path.removingLastComponent()
      if !directory.isEmpty { try files.createDirectories(directory) }
      return try files.lock(at: lockPath)
    }
    state.lock = lock
    try writing { () throws(FileError) in try lock.acquire() }
    return lock
  }

  var lockPath: FilePath {
    path.removingLastComponent().appending("\(path.lastComponent?.string ?? "").lock")
  }
}
#endif
