import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// Edits of the property list by a person or another program.
extension SettingsFile {
  /// Applies edits of the property list; called with the checkpoint lock held and the journals read
  /// to their end.
  ///
  /// A value that the journals never contained is an edit, and is later than the journals' value of
  /// the same key. A missing or unreadable property list is not an edit: it is written again.
  func applyManualEdit(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let stamp = try fileSystem.information(at: path)
    // An edit that was found when the files were opened may not have been applied yet.
    let hasPendingEdit = writer.isPropertyListLost && stamp != nil
    if stamp == writer.stamp && !hasPendingEdit { return }
    guard let stamp, let bytes = try fileSystem.readFile(at: path) else {
      writer.isPropertyListLost = writer.isPropertyListLost || writer.stamp != nil
      writer.stamp = nil
      return
    }
    let header = SettingsPropertyList.header(of: bytes)
    if let header, isOfOpenFiles(header, writer) {
      // Another process wrote it.
      notePropertyList(stamp, before: header.journal, &writer)
      return
    }
    writer.isPropertyListLost = true
    let edited: [SettingsName: PropertyList.Value]
    do throws(PropertyList.ParseError) {
      edited = try ValueTable(parsing: bytes).valuesByName
    } catch {
      if stamp != writer.stamp { try quarantinePropertyList(bytes, [error]) }
      writer.stamp = stamp
      return
    }
    let journaled = try journaledDigests(upTo: writer.generation)
    let known = contents.withLock { $0 }
    var changes: [Change] = []
    for name in known.merged.namesThatDiffer(from: edited) {
      let value = edited[name]
      // If the edited property list was loaded as a whole, only the journals show what was edited.
      if writer.requiresReload || !known.knows(value, of: name),
        journaled[name]?.contains(BinaryValue.digest(of: value)) != true
      {
        changes.append(Change(name: name, value: value))
      }
    }
    if !changes.isEmpty {
      // For other processes, which may not have read the edit yet.
      let log = SettingsPropertyList.log(in: bytes)
      // What others change meanwhile may have to be claimed, too.
      while true {
        let update = log.flatMap {
          self.update(for: changes, ofOther: $0, isEdited: header?.isSound != true)
        }
        if try setOnce(changes, received: update, &writer, &names) != nil { break }
      }
      names += changes.map(\.name)
    }
    writer.stamp = stamp
  }

  /// What is noted where the property list of another time replaces values that other machines share; nil if it is of the
  /// time of what it replaces.
  ///
  /// What they have had since then counts; and all that they have, if the property list was not edited.
  private func update(
    for changes: [Change], ofOther log: SyncLog, isEdited: Bool
  ) -> SyncLog.Update? {
    let (start, current) = contents.withLock { ($0.logAtStart, $0.log) }
    // After another older one, the number of a later one is above what is noted.
    guard let start, let current, log.cluster != nil, log.cluster == start.cluster,
      log.cluster == current.cluster, log.revision != start.revision
    else { return nil }
    var update = SyncLog.Update()
    update.revision = min(log.revision, current.revision)
    update.doubt = isEdited ? .edited : .both
    // What is still to be sent under its number is another value.
    update.claims = changes.map(\.name).filter { current.changes[$0] != nil }
    return update
  }

  /// Whether a process that has these files open wrote a property list: one with a later journal is of other files.
  private func isOfOpenFiles(
    _ header: (journal: UInt64, isSound: Bool), _ writer: borrowing Writer
  ) -> Bool {
    header.isSound && header.journal >= writer.propertyListJournal
      && header.journal <= writer.generation
  }

  /// Marks a property list that another process wrote as read.
  private func notePropertyList(
    _ stamp: FileInformation?, before journal: UInt64, _ writer: inout Writer
  ) {
    writer.stamp = stamp
    writer.propertyListJournal = journal
    if journal >= writer.generation { contents.withLock { $0.fold() } }
  }

  /// Returns the digests of all values that the journals on the disk contain, by key.
  private func journaledDigests(
    upTo generation: UInt64
  ) throws(FileError) -> [SettingsName: Set<UInt32>] {
    var digests: [SettingsName: Set<UInt32>] = [:]
    for number in try journalNumbers() where number <= generation {
      var journal = try Journal(opening: journalPath(number), .read, in: fileSystem)
      _ = try journal.read { item in
        guard case .record(let payload, _) = item, let record = SettingsRecord(payload) else {
          return true
        }
        if record.kind.isEnd { return false }
        for change in record.changes where !change.isReadOnly && record.generation == number {
          if let before = change.before { digests[change.name, default: []].insert(before) }
          digests[change.name, default: []].insert(BinaryValue.digest(of: change.value))
        }
        return true
      }
    }
    return digests
  }

  /// Handles an event of the directory's watch, asynchronously.
  func handleDirectoryChange() {
    // Waiting for the checkpoint lock must not delay the watches of other stores.
    flushing.async { [self] in handleDirectoryChangeNow() }
  }

  /// Reads what changed in the directory.
  func handleDirectoryChangeNow() {
    var names: [SettingsName] = []
    var isEdited = false
    do throws(FileError) {
      isEdited = try writer.withLock { (writer) throws(FileError) in
        if writer.isClosed { return false }
        switch writer.access {
        case .memory, .unavailable: return false
        case .readOnly:
          if try fileSystem.information(at: path) == writer.stamp { return false }
          names = try reread(&writer)
          watchPropertyList(&writer)
          return false
        case .readWrite:
          return try readDirectoryChange(&writer, &names)
        }
      }
    } catch {
      // An editor may still be writing; its last write causes another event.
      if error.code != .resourceBusy {
        report(
          SettingsError(
            .unavailable, "a manual edit cannot be read", effect: "the values read before are used",
            file: path, cause: error))
      }
    }
    stopListeningIfRemoved()
    notify(names)
    if isEdited {
      // A process that holds the lock applies the edit itself; otherwise the next tick tries.
      var edited: [SettingsName] = []
      do throws(FileError) { try handleManualEdit(&edited) } catch {}
      // A later tick writes it again, because an editor may save once more.
      writer.withLock { writer in
        writer.isPropertyListLost = true
        scheduleTick(&writer)
      }
      notify(edited)
    }
  }

  /// Applies edits without writing the property list.
  private func handleManualEdit(_ names: inout [SettingsName]) throws(FileError) {
    try checkpointing.withLock { (_) throws(FileError) in
      guard let lock = writer.withLock({ $0.lock }) else { return }
      try lock.acquire(LockPart.checkpoint, timeout: .seconds(5))
      holdsCheckpointLock.store(true, ordering: .relaxed)
      defer {
        holdsCheckpointLock.store(false, ordering: .relaxed)
        lock.release(LockPart.checkpoint)
      }
      let isLater = try writer.withLock { (writer) throws(FileError) in
        try catchUp(&writer, &names)
        if writer.journal == nil { return false }
        let journal = try propertyListJournal(&writer) ?? 0
        try applyManualEdit(&writer, &names)
        return journal > writer.generation
      }
      // Who opens it would take the current journal for one that it contains.
      if isLater { try checkpointHoldingLock(&names) }
    }
  }

  /// - Returns: Whether the property list was edited and can be read.
  private func readDirectoryChange(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) -> Bool {
    if try fileSystem.information(at: directory) == nil {
      writer.isDirectoryGone = true
      return false
    }
    try catchUp(&writer, &names)
    if writer.journal == nil { return false }
    if try isDetached(&writer, &names) { try rescue(&writer, &names) }
    let stamp = try fileSystem.information(at: path)
    if stamp == writer.stamp { return false }
    watchPropertyList(&writer)
    guard stamp != nil, let bytes = try fileSystem.readFile(at: path) else {
      // An editor may have renamed it temporarily. Otherwise a later tick writes it again for
      // processes that open the store afterward.
      writer.isPropertyListLost = true
      scheduleTick(&writer)
      return false
    }
    if let header = SettingsPropertyList.header(of: bytes), isOfOpenFiles(header, writer) {
      notePropertyList(stamp, before: header.journal, &writer)
      return false
    }
    if (try? ValueTable(parsing: bytes)) != nil { return true }
    // An editor may still be writing; its last write causes another event.
    writer.isPropertyListLost = true
    scheduleTick(&writer)
    return false
  }
}
