import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// Writing the property list while changes continue in the next journal.
extension SettingsFile {
  /// Writes the property list on request, and throws what prevents it.
  func save() throws(SettingsError) {
    if let unavailability { throw unavailability }
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { notify(others) }
    others = try writer.withLock { (writer) throws(SettingsError) in try makeWritable(&writer) }
    try checkpointOrThrow(timeout: .seconds(5), &others)
  }

  /// Writes the property list if changes are missing from it.
  ///
  /// - Parameter names: Receives the keys that changed externally.
  func checkpointOrThrow(
    timeout: Duration, _ names: inout [SettingsName]
  ) throws(SettingsError) {
    do throws(FileError) {
      try checkpoint(timeout: timeout, &names)
    } catch {
      throw SettingsError(
        .notDurable, "the property list cannot be written", effect: "the journal keeps the changes",
        file: path, cause: error)
    }
  }

  /// The contents of a new property list: everything up to the end of a journal.
  private struct Snapshot {
    let contents: SettingsContents
    /// The beginning of the next journal.
    let end: Position
  }

  /// Writes the property list if changes are missing from it, and deletes the journals that it contains.
  ///
  /// - Parameter timeout: The maximum time to wait for another process that does the same.
  func checkpoint(timeout: Duration) throws(FileError) {
    var names: [SettingsName] = []
    defer { notify(names) }
    try checkpoint(timeout: timeout, &names)
  }

  private func checkpoint(
    timeout: Duration, _ names: inout [SettingsName]
  ) throws(FileError) {
    try checkpointing.withLock { (_) throws(FileError) in
      guard let lock = writer.withLock({ $0.lock }) else { return }
      try lock.acquire(LockPart.checkpoint, timeout: timeout)
      holdsCheckpointLock.store(true, ordering: .relaxed)
      defer {
        holdsCheckpointLock.store(false, ordering: .relaxed)
        lock.release(LockPart.checkpoint)
      }
      try checkpointHoldingLock(&names)
    }
  }

  /// Writes the property list; the checkpoint lock must be held.
  ///
  /// - Parameter names: Receives the keys that changed externally, to report when no lock is held.
  func checkpointHoldingLock(_ names: inout [SettingsName]) throws(FileError) {
    // If the property list is edited meanwhile, the edit is applied first.
    for _ in 0..<3 {
      let (snapshot, stamp) = try writer.withLock {
        (writer) throws(FileError) -> (Snapshot?, FileInformation?) in
        let snapshot = try endJournal(&writer, &names)
        return (snapshot, writer.stamp)
      }
      guard let snapshot else { return }
      let bytes = SettingsPropertyList.serialize(
        snapshot.contents.sortedAtStart, log: snapshot.contents.logAtStart,
        before: snapshot.end.generation)
      if try replacePropertyList(stamp, with: bytes, before: snapshot.end.generation) {
        fold(snapshot)
        return deleteJournals(before: snapshot.end.generation)
      }
    }
    throw FileError(
      .write, path, .resourceBusy, effect: "another program keeps changing it; it was not replaced")
  }

  /// Whether the property list contains all changes and survives a power cut.
  func isSaved(_ writer: inout Writer) -> Bool {
    if writer.isPropertyListLost || writer.failedFlush != nil { return false }
    return writer.propertyListJournal == writer.generation
      && contents.withLock { $0.isSaved }
  }

  /// Ends the journal if the property list must be written; both locks must be held.
  private func endJournal(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) -> Snapshot? {
    repeat {
      try catchUp(&writer, &names)
      if writer.journal == nil { return nil }
      if try isDetached(&writer, &names) { try rescue(&writer, &names) }
    } while writer.end != nil
    try quarantineJournal(&writer)
    try noteDoubt(&writer, &names)
    try applyManualEdit(&writer, &names)
    if isSaved(&writer) { return nil }
    // Created first, so that a process that reads the end record finds it.
    _ = try Journal(
      opening: journalPath(writer.generation + 1), .appendCreating, in: fileSystem)
    // If it is unknown what was edited, all other processes read the new property list.
    try appendEnd(writer.requiresReload ? .reload : .end, &writer)
    _ = try readJournal(&writer, &names)
    if writer.end == .reload { writer.end = .end }
    try catchUp(&writer, &names)
    if writer.journal == nil { return nil }
    writer.requiresReload = false
    return Snapshot(contents: contents.withLock { $0 }, end: writer.position)
  }

  /// Makes the written changes part of the property list's values, which remain usable meanwhile.
  private func fold(_ snapshot: Snapshot) {
    var folded = snapshot.contents
    folded.fold(
      into: folded.isTableOld ? ValueTable(sortedEntries: folded.sortedAtStart) : nil)
    writer.withLock { writer in
      let (position, end) = (writer.position, snapshot.end)
      if position.epoch == end.epoch && position.generation == end.generation {
        contents.withLock { [folded] in $0.copyLowerLayers(of: folded) }
      }
    }
  }

  /// Appends an end record, after which no record of the journal counts.
  func appendEnd(_ kind: SettingsRecord.Kind, _ writer: inout Writer) throws(FileError) {
    guard let isAtomic = writer.journal?.hasAtomicAppends else { return }
    let lock = isAtomic ? nil : writer.lock
    try lock?.acquire(LockPart.append, timeout: .seconds(5))
    defer { lock?.release(LockPart.append) }
    let known = writer.position
    _ = try writer.journal?.append { bytes in
      SettingsRecord.begin(kind, generation: known.generation, offset: known.end, in: &bytes)
    }
  }

  /// - Parameter old: The attributes of the property list to replace.
  /// - Returns: Whether it was replaced; false if it has changed since.
  private func replacePropertyList(
    _ old: FileInformation?, with bytes: [UInt8], before journal: UInt64
  ) throws(FileError) -> Bool {
    var failure: FileError?
    var stamp: FileInformation?
    do throws(FileError) {
      if try !fileSystem.replaceFile(at: path, ifStill: old, with: bytes, new: &stamp) {
        return false
      }
    } catch {
      failure = error
    }
    try writer.withLock { (writer) throws(FileError) in
      if let failure, stamp == nil { throw failure }
      writer.propertyListJournal = journal
      writer.stamp = stamp
      writer.tickedStamp = writer.stamp
      watchPropertyList(&writer)
      // The new file has the name, but a power cut may restore the old one.
      writer.failedFlush = failure
      if let failure { throw failure }
      // The next journal was created before the directory was flushed.
      flushedName.store(journal, ordering: .relaxed)
      writer.isPropertyListLost = false
    }
    return true
  }

  /// Deletes the journals that the property list contains.
  private func deleteJournals(before journal: UInt64) {
    // The next checkpoint deletes journals that cannot be removed now.
    let opened = writer.withLock { $0.directory }
    for number in (try? journalNumbers()) ?? [] where number < journal {
      // Other files may be in their place since.
      guard let found = try? fileSystem.information(at: directory)?.identity, found == opened
      else { return }
      try? fileSystem.remove(journalPath(number))
    }
  }

  // MARK: Quarantine

  /// Keeps the bytes of an unreadable property list in another file, and reports it.
  func quarantinePropertyList(
    _ bytes: [UInt8], _ errors: [PropertyList.ParseError], kept: Int? = nil
  ) throws(FileError) {
    let quarantine = try fileSystem.quarantine(bytes, of: path, as: "unreadable")
    let values = kept.map { "\($0) of its values were kept" } ?? "the values read before are kept"
    report(
      SettingsError(
        .damaged,
        "the property list cannot be read",
        effect: "\(values), and the file is kept as '\(quarantine.shortened)'", file: path,
        cause: errors.first))
  }

  /// Keeps a copy of a journal with unreadable records, if there is one, and reports it.
  func quarantineJournal(_ writer: inout Writer) throws(FileError) {
    guard let (journal, damage) = writer.damaged else { return }
    let quarantine = try fileSystem.quarantine(journal.readAll(), of: journal.path, as: "damaged")
    writer.damaged = nil
    writer.isPropertyListLost = true
    var parts: [String] = []
    let count = damage.gaps.reduce(0) { $0 + $1.count }
    if count > 0 {
      parts.append("\(count) bytes are damaged, from offset \(damage.gaps[0].lowerBound)")
    }
    if damage.isTailDamaged { parts.append("its end is damaged") }
    if damage.unknownRecords > 0 {
      parts.append("\(damage.unknownRecords) records have an unknown format")
    }
    report(
      SettingsError(
        .damaged,
        "part of a journal cannot be read: \(parts.joined(separator: ", "))",
        effect:
          "every other change was kept, and a copy of the file is kept as '\(quarantine.shortened)'",
        file: journal.path))
  }
}
