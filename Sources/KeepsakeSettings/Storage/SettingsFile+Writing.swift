import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// How changes are appended.
extension SettingsFile {
  typealias Change = (name: SettingsName, value: PropertyList.Value?)

  /// Changes one value; `nil` removes it.
  ///
  /// - Returns: The number of the change.
  @discardableResult
  func write(
    _ value: PropertyList.Value?, for name: SettingsName
  ) throws(SettingsError) -> UInt64 {
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { notify(others) }
    return try writer.withLock { (writer) throws(SettingsError) -> UInt64 in
      try prepareToWrite(&writer, &others)
      do throws(FileError) {
        return try set(&writer, &others) { contents, bytes in
          let digest = contents.firstDigest(of: name)
          SettingsRecord.add(value, of: name.string, before: digest, to: &bytes)
        } apply: { contents, offset in
          contents.change(name, to: value, at: offset)
        }
      } catch { throw notWritten(error) }
    }
  }

  /// Changes values by a body that sees all of them as they are; none of those that it reads or
  /// changes is changed by another process in between.
  ///
  /// - Parameter body: Gives the changes and the names that it read; what it throws leaves everything
  ///   as it was. It runs again where another process changed one of the names meanwhile.
  /// - Returns: The names of what was changed or read, and the body's result.
  func transact<Result>(
    _ body: () throws -> (changes: [Change], reads: [SettingsName], result: Result)
  ) throws -> (names: [SettingsName], result: Result) {
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
            // One that met a conflict has the right of way, or it might meet them for ever.
            let waits = attempt > 0 ? true : try isTransactionLocked(&writer)
            if waits && !holdsLock { holdsLock = acquireTransactionLock(&writer) }
            try catchUp(&writer, &others)
          } catch { throw notWritten(error) }
        }
        setInTransaction(true)
        defer { setInTransaction(false) }
        let (changes, reads, result) = try body()
        // Another thread may have read what others changed, and not have told of it yet.
        let names = changes.map(\.name) + reads
        if changes.isEmpty { return (names, result) }
        do throws(FileError) {
          let sequence = try append(.transaction, &writer, &others) { contents, bytes in
            contents.add(changes, to: &bytes)
            for name in reads { SettingsRecord.addRead(of: name.string, to: &bytes) }
          } apply: { contents, offset in
            contents.apply(changes, at: offset)
          }
          if sequence != nil { return (names, result) }
        } catch { throw notWritten(error) }
      }
      throw SettingsError(
        .conflict,
        "other processes changed the same settings during each of 100 attempts; nothing was changed",
        file: path)
    }
  }

  /// Whether a transaction of another process that met conflicts holds the lock.
  private func isTransactionLocked(_ writer: inout Writer) throws(FileError) -> Bool {
    try writer.lock?.isHeldElsewhere(LockPart.transaction) ?? false
  }

  /// Keeps other transactions away, unless one that was stopped holds the lock.
  ///
  /// - Returns: Whether the lock is held.
  private func acquireTransactionLock(_ writer: inout Writer) -> Bool {
    // A process that is stopped delays others once, not with each of their transactions.
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
  /// - Returns: Whether it goes to the disk.
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
      throw SettingsError(.notWritten, "these settings can only be read", file: path)
    case .readWrite:
      if writer.isDirectoryGone {
        do throws(FileError) {
          if try fileSystem.information(at: directory) == nil {
            throw FileError(
              .write, directory, .noSuchFileOrDirectory,
              effect: "the directory was renamed or removed; the change was not made")
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

  /// Tries again what failed when the files were opened, where it may succeed now.
  ///
  /// - Returns: The names whose values others changed meanwhile.
  func makeWritable(_ writer: inout Writer) throws(SettingsError) -> [SettingsName] {
    guard case .readOnly = writer.access, writer.refusal != nil, !writer.isClosed else { return [] }
    do throws(FileError) {
      return try reopen(&writer)
    } catch { throw notWritten(error) }
  }

  // MARK: Appending

  /// Appends changes until they count.
  ///
  /// - Returns: The number of the change.
  @discardableResult
  func set(
    _ changes: [Change], _ writer: inout Writer, _ others: inout [SettingsName]
  ) throws(FileError) -> UInt64 {
    try set(&writer, &others) { contents, bytes in
      contents.add(changes, to: &bytes)
    } apply: { contents, offset in
      contents.apply(changes, at: offset)
    }
  }

  @inline(__always)
  private func set(
    _ writer: inout Writer, _ others: inout [SettingsName],
    add: (borrowing SettingsContents, inout ByteBuffer) -> Void,
    apply: (inout SettingsContents, Int64) -> Void
  ) throws(FileError) -> UInt64 {
    while true {
      if let sequence = try append(.set, &writer, &others, add: add, apply: apply) {
        return sequence
      }
    }
  }

  /// Appends one record, after it reads what others appended before; only changes the values where
  /// there is no journal.
  ///
  /// - Parameters:
  ///   - add: Adds the changes to the record.
  ///   - apply: Makes them, where the record is at an offset.
  /// - Returns: The number of the change; `nil` where the record does not count.
  @inline(__always)
  private func append(
    _ kind: SettingsRecord.Kind, _ writer: inout Writer, _ others: inout [SettingsName],
    add: (borrowing SettingsContents, inout ByteBuffer) -> Void,
    apply: (inout SettingsContents, Int64) -> Void
  ) throws(FileError) -> UInt64? {
    if writer.journal != nil && (writer.end != nil || writer.fork != ProcessFork.count) {
      try catchUp(&writer, &others)
      // What its body read may be others' by now.
      if kind == .transaction { return nil }
    }
    guard let isAtomic = writer.journal?.hasAtomicAppends else {
      return contents.withLock { contents in
        apply(&contents, 0)
        contents.sequence += 1
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
        contents.withLock { add($0, &bytes) }
      }
    } catch {
      // Of a disk that fails, ext4 says to one process only that it did not keep what was flushed.
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
        return counts ? contents.withLock { $0.sequence } : nil
      } catch {
        // The record is in the journal and may count: it must be known whether it does.
        attempts -= 1
        if attempts == 0 {
          throw error.leaving("the change was written, and counts if the journal can be read again")
        }
      }
    }
  }

  /// Counts an append before which everything was read.
  private func countAppend(_ writer: inout Writer) {
    let count = appends.load(ordering: .relaxed) &+ 1
    appends.store(count, ordering: .releasing)
    // While an event waits to be heard each append takes a third longer, and needs no telling: it reads
    // what others changed.
    if count &- heardAppends.load(ordering: .relaxed) == 16 { writer.journalWatch?.pause() }
  }

  func notWritten(_ error: FileError) -> SettingsError {
    SettingsError(.notWritten, "the change was not made", file: path, cause: error)
  }
}

extension SettingsContents {
  /// Adds changes to a record.
  fileprivate func add(_ changes: [SettingsFile.Change], to bytes: inout ByteBuffer) {
    for (name, value) in changes {
      SettingsRecord.add(value, of: name.string, before: firstDigest(of: name), to: &bytes)
    }
  }

  /// Makes the changes of a record that counts.
  fileprivate mutating func apply(_ changes: [SettingsFile.Change], at offset: Int64) {
    for (name, value) in changes { change(name, to: value, at: offset) }
  }
}
