import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// Changes and transactions, which are appended to the journal.
extension SettingsFile {
  /// A change of one key.
  struct Change {
    var name: SettingsName
    /// The new value; `nil` removes the key.
    var value: PropertyList.Value?
    /// The type that the value was encoded from; `nil` if it is none or does not know all of the value.
    var type: ObjectIdentifier?
  }

  /// Changes one value, unless the caller must examine the value that it replaces.
  ///
  /// - Parameters:
  ///   - value: The new value; `nil` removes the key.
  ///   - type: The type that it was encoded from; `nil` if that does not know all of the value.
  ///   - examined: The value that the caller examined; `nil` if it examined none.
  ///   - isConditional: Whether the change is not made if another process changes the value at the
  ///     same time.
  ///   - unseen: Receives the value of another process that was replaced before this one read it.
  /// - Returns: The sequence number of the change; `nil` if it was not made, because neither the
  ///   type nor the caller knows the present value.
  func write(
    _ value: PropertyList.Value?, for name: SettingsName, as type: ObjectIdentifier?,
    examined: PropertyList.Value? = nil, isConditional: Bool, unseen: inout PropertyList.Value?
  ) throws(SettingsError) -> UInt64? {
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { notify(others) }
    return try writer.withLock { (writer) throws(SettingsError) -> UInt64? in
      try prepareToWrite(&writer, &others)
      var digest: UInt32?
      var isKnown = true
      let kind: SettingsRecord.Kind = isConditional ? .transaction : .set
      do throws(FileError) {
        while true {
          // Of an earlier transaction, which examined them itself.
          if !writer.unseen.isEmpty { writer.unseen = [:] }
          let sequence = try append(kind, &writer, &others) { contents in
            (digest, isKnown) = contents.beforeChange(of: name, by: type)
            if !isKnown, let examined { isKnown = contents.hasValue(examined, for: name) }
            return isKnown
          } add: { bytes in
            SettingsRecord.add(value, of: name.string, before: digest, to: &bytes)
          } apply: { contents, offset in
            contents.change(name, to: value, at: offset, by: type)
          }
          if sequence != nil && !writer.unseen.isEmpty { unseen = writer.unseen[name] }
          if sequence != nil || !isKnown || isConditional { return sequence }
        }
      } catch { throw notWritten(error) }
    }
  }

  /// Runs a transaction: no other process changes a value that its body reads or changes before the
  /// changes are made.
  ///
  /// - Parameter body: Returns the changes and the names that it read; what came from other machines, if the
  ///   changes did. If it throws, nothing is changed. It runs again if another process changed one of the
  ///   names meanwhile.
  /// - Returns: The names that were changed, those that were only read, and the body's result.
  func transact<Result>(
    _ body: () throws -> (
      changes: [Change], reads: [SettingsName], update: SyncLog.Update?, result: Result
    )
  ) throws -> (changed: [SettingsName], reads: [SettingsName], result: Result) {
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { notify(others) }
    return try writer.withLock { writer in
      let isOnDisk = try prepareToWrite(&writer, &others)
      var holdsLock = false
      defer { if holdsLock { writer.lock?.release(LockPart.transaction) } }
      for attempt in 0..<100 {
        if isOnDisk {
          do throws(FileError) {
            // A transaction that had a conflict goes first, or it could have conflicts forever.
            let waits = attempt > 0 ? true : try isTransactionLocked(&writer)
            if waits && !holdsLock { holdsLock = acquireTransactionLock(&writer) }
            try catchUp(&writer, &others)
          } catch { throw notWritten(error) }
        }
        setInTransaction(true)
        defer { setInTransaction(false) }
        let (changes, reads, update, result) = try body()
        if changes.isEmpty, update == nil { return ([], reads, result) }
        do throws(FileError) {
          var digests: [UInt32?] = []
          let kind = update == nil ? SettingsRecord.Kind.transaction : .received
          let sequence = try append(kind, &writer, &others) { contents in
            digests = changes.map { contents.firstDigest(of: $0.name) }
            return true
          } add: { bytes in
            if let update { SettingsRecord.add(update, to: &bytes) }
            SettingsRecord.add(changes, before: digests, to: &bytes)
            for name in reads { SettingsRecord.addRead(of: name.string, to: &bytes) }
          } apply: { contents, offset in
            contents.apply(changes, update, at: offset)
          }
          if sequence != nil { return (changes.map(\.name), reads, result) }
        } catch { throw notWritten(error) }
      }
      throw SettingsError(
        .conflict,
        "other processes changed the same settings in each of 100 attempts",
        effect: "nothing was changed", file: path)
    }
  }

  /// Whether another process's transaction, which had a conflict, holds the lock.
  private func isTransactionLocked(_ writer: inout Writer) throws(FileError) -> Bool {
    try writer.lock?.isHeldElsewhere(LockPart.transaction) ?? false
  }

  /// Acquires the lock that makes other transactions wait, unless a stopped process holds it.
  ///
  /// - Returns: Whether the lock is held.
  private func acquireTransactionLock(_ writer: inout Writer) -> Bool {
    // A stopped process delays others once, not with each of their transactions.
    if let end = writer.ignoresTransactionLock, end > .now { return false }
    do throws(FileError) {
      try writer.lock?.acquire(LockPart.transaction, timeout: .seconds(1))
      return true
    } catch {
      writer.ignoresTransactionLock = .now + .seconds(10)
      return false
    }
  }

  /// Prepares a change.
  ///
  /// - Returns: Whether it is written to the disk.
  @discardableResult
  private func prepareToWrite(
    _ writer: inout Writer, _ others: inout [SettingsName]
  ) throws(SettingsError) -> Bool {
    if writer.journal != nil && !writer.isDirectoryGone { return true }
    others += try makeWritable(&writer)
    switch writer.access {
    case .memory: return false
    case .unavailable(let error): throw error
    case .readOnly:
      throw SettingsError(
        .notWritten, "these settings are read-only", effect: "nothing was changed", file: path)
    case .readWrite:
      if writer.isDirectoryGone {
        do throws(FileError) {
          if try fileSystem.information(at: directory) == nil {
            throw FileError(
              .write, directory, .noSuchFileOrDirectory,
              effect: "the directory was renamed or removed")
          }
          try catchUp(&writer, &others)
          if try isDetached(&writer, &others) {
            try rescue(&writer, &others)
          } else {
            writer.isDirectoryGone = false
          }
        } catch { throw notWritten(error) }
      }
      return true
    }
  }

  /// Opens the files for writing again, if that failed before for a reason that may have passed.
  ///
  /// - Returns: The names whose values other processes changed meanwhile.
  func makeWritable(_ writer: inout Writer) throws(SettingsError) -> [SettingsName] {
    guard case .readOnly = writer.access, writer.openError != nil, !writer.isClosed else {
      return []
    }
    do throws(FileError) {
      return try reopen(&writer)
    } catch { throw notWritten(error) }
  }

  // MARK: Appending

  /// Appends changes, again if necessary, until they count.
  ///
  /// - Returns: The sequence number of the change.
  ///
  /// - Parameter update: What came from other machines, if the changes did.
  @discardableResult
  func set(
    _ changes: [Change], received update: SyncLog.Update? = nil, _ writer: inout Writer,
    _ others: inout [SettingsName]
  ) throws(FileError) -> UInt64 {
    while true {
      if let sequence = try setOnce(changes, received: update, &writer, &others) { return sequence }
    }
  }

  /// Appends changes.
  ///
  /// - Returns: The sequence number of the change; `nil` if it does not count, since other processes have changed
  ///   what it was made for.
  func setOnce(
    _ changes: [Change], received update: SyncLog.Update?, _ writer: inout Writer,
    _ others: inout [SettingsName]
  ) throws(FileError) -> UInt64? {
    var digests: [UInt32?] = []
    return try append(update == nil ? .set : .received, &writer, &others) { contents in
      digests = changes.map { contents.firstDigest(of: $0.name) }
      return true
    } add: { bytes in
      if let update { SettingsRecord.add(update, to: &bytes) }
      SettingsRecord.add(changes, before: digests, to: &bytes)
    } apply: { contents, offset in
      contents.apply(changes, update, at: offset)
    }
  }

  /// Appends one record, and reads the records that other processes appended before it. Without a
  /// journal, only changes the values.
  ///
  /// - Parameters:
  ///   - prepare: Returns whether the change can be made.
  ///   - add: Adds the changes to the record.
  ///   - apply: Applies them; receives the offset of the record.
  /// - Returns: The sequence number of the change; `nil` if it was not made.
  @inline(__always)
  private func append(
    _ kind: SettingsRecord.Kind, _ writer: inout Writer, _ others: inout [SettingsName],
    prepare: (borrowing SettingsContents) -> Bool, add: (inout ByteBuffer) -> Void,
    apply: (inout SettingsContents, Int64) -> Void
  ) throws(FileError) -> UInt64? {
    if writer.journal != nil && (writer.end != nil || writer.fork != ProcessFork.count) {
      try catchUp(&writer, &others)
      // Other processes may have changed what its body read.
      if kind != .set { return nil }
    }
    if !contents.withLock({ prepare($0) }) { return nil }
    guard let isAtomic = writer.journal?.hasAtomicAppends else {
      return contents.withLock { contents in
        contents.sequence += 1
        // In place of an offset: it grows with each change.
        apply(&contents, Int64(contents.sequence))
        return contents.sequence
      }
    }
    let lock = isAtomic ? nil : writer.lock
    try lock?.acquire(LockPart.append, timeout: .seconds(5))
    defer { lock?.release(LockPart.append) }

    let known = writer.position
    let appended: Range<Int64>?
    do throws(FileError) {
      appended = try writer.journal?.append { bytes in
        SettingsRecord.begin(kind, generation: known.generation, offset: known.end, in: &bytes)
        add(&bytes)
      }
    } catch {
      // When a disk fails, ext4 reports to only one process that flushed data was lost.
      if [.ioError, .readOnlyFileSystem].contains(error.code) {
        writer.failedFlush = writer.failedFlush ?? error
      }
      throw error
    }
    guard let own = appended else { return nil }
    scheduleTick(&writer)
    if own.lowerBound == known.end {
      writer.journal?.advance(over: own)
      countAppend(&writer)
      return contents.withLock { contents in
        apply(&contents, own.lowerBound)
        contents.sequence += 1
        return contents.sequence
      }
    }
    var attempts = 3
    while true {
      do throws(FileError) {
        let counts = try readJournal(&writer, upTo: own, &others) ?? false
        countAppend(&writer)
        if !counts { return nil }
        return contents.withLock { contents in
          // The types of the values are not in the record.
          apply(&contents, own.lowerBound)
          return contents.sequence
        }
      } catch {
        // The record is in the journal; whether it counts depends on the records before it.
        attempts -= 1
        if attempts == 0 {
          throw error.leaving(Self.isUncertain)
        }
      }
    }
  }

  /// Counts an append; every record before it was read.
  private func countAppend(_ writer: inout Writer) {
    let count = appends.load(ordering: .relaxed) &+ 1
    appends.store(count, ordering: .releasing)
    // A pending event makes each append a third slower, and none is needed: an append reads the
    // external changes before it.
    if count &- notifiedAppends.load(ordering: .relaxed) == 16 { writer.journalWatch?.pause() }
  }

  private static let isUncertain = "takes effect if the journal can be read again"

  func notWritten(_ error: FileError) -> SettingsError {
    if error.effect == Self.isUncertain {
      return SettingsError(
        .notWritten, "other processes' changes before this one cannot be read",
        effect: "it was written, and \(error.effect)", file: path, cause: error.leaving(""))
    }
    return SettingsError(
      .notWritten, "the change cannot be written", effect: "it was not made", file: path,
      cause: error)
  }
}

extension SettingsContents {
  /// Applies the changes of a record that counts.
  fileprivate mutating func apply(
    _ changes: [SettingsFile.Change], _ update: SyncLog.Update?, at offset: Int64
  ) {
    if let update { return receive(changes.map { ($0.name, $0.value) }, update, at: offset) }
    for (index, change) in changes.enumerated() {
      self.change(change.name, to: change.value, at: offset, index: index, by: change.type)
    }
  }
}

extension SettingsRecord {
  /// Adds changes to a record.
  ///
  /// - Parameter digests: The digests of the keys' values when the journal began.
  fileprivate static func add(
    _ changes: [SettingsFile.Change], before digests: [UInt32?], to bytes: inout ByteBuffer
  ) {
    for (change, digest) in zip(changes, digests) {
      add(change.value, of: change.name.string, before: digest, to: &bytes)
    }
  }
}
