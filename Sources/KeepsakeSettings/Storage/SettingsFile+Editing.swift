import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// How an edit of the property list by hand, or by another program, is taken over.
extension SettingsFile {
  /// Takes over what was edited in the property list; called with the checkpoint's lock held and
  /// nothing left to catch up.
  ///
  /// A value that the journals never knew was edited, and is later than what they say of the same
  /// key. A property list that is missing or cannot be read is no edit: it is written again.
  func readEdit(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let stamp = try fileSystem.information(at: path)
    // A property list that was found edited when it was opened is still to be taken over.
    let isFoundEdited = writer.isPropertyListLost && stamp != nil
    if stamp == writer.stamp && !isFoundEdited { return }
    guard let stamp, let bytes = try fileSystem.readFile(at: path) else {
      writer.isPropertyListLost = writer.isPropertyListLost || writer.stamp != nil
      writer.stamp = nil
      return
    }
    if let header = SettingsPropertyList.header(of: bytes), header.isSound,
      header.journal >= writer.propertyListJournal
    {
      // Another process wrote it.
      notePropertyList(stamp, before: header.journal, &writer)
      return
    }
    writer.isPropertyListLost = true
    let edited: [String: PropertyList.Value]
    do throws(PropertyList.ParseError) {
      edited = try PropertyList.dictionary(parsingXML: bytes)
    } catch {
      if stamp != writer.stamp { try quarantinePropertyList(bytes, [error]) }
      writer.stamp = stamp
      return
    }
    let journaled = try journaledDigests(upTo: writer.generation)
    let known = contents.withLock { $0 }
    var changes: [Change] = []
    for name in known.merged.namesThatDiffer(from: edited) {
      let value = edited[name.string]
      // Where the edited property list was read as a whole, only the journals know better.
      if writer.isEditForeign || !known.knows(value, of: name),
        journaled[name.string]?.contains(BinaryValue.digest(of: value)) != true
      {
        changes.append((name, value))
      }
    }
    if !changes.isEmpty {
      // For the other processes, which may know nothing of the edit yet.
      try set(changes, &writer, &names)
      names += changes.map(\.name)
    }
    writer.stamp = stamp
  }

  /// Notes a property list that another process wrote.
  private func notePropertyList(
    _ stamp: FileInformation?, before journal: UInt64, _ writer: inout Writer
  ) {
    writer.stamp = stamp
    writer.propertyListJournal = journal
    if journal >= writer.generation { contents.withLock { $0.fold() } }
  }

  /// The digests of all values that the journals on the disk know for each of their keys.
  private func journaledDigests(
    upTo generation: UInt64
  ) throws(FileError) -> [String: Set<UInt32>] {
    var digests: [String: Set<UInt32>] = [:]
    for number in try journalNumbers() where number <= generation {
      var journal = try Journal(opening: journalPath(number), .read, in: fileSystem)
      _ = try journal.read { item in
        guard case .record(let payload, _) = item, let record = SettingsRecord(payload) else {
          return true
        }
        if record.kind.isEnd { return false }
        for change in record.changes where !change.isReadOnly && record.generation == number {
          if let before = change.before { digests[change.name.string, default: []].insert(before) }
          digests[change.name.string, default: []].insert(BinaryValue.digest(of: change.value))
        }
        return true
      }
    }
    return digests
  }

  /// Finds out what happened to the files in the directory, as its watch says.
  func handleDirectoryChange() {
    // Waiting for the checkpoint's lock must not keep the watches of others waiting.
    flushing.async { [self] in handleDirectoryChangeNow() }
  }

  /// Finds out what happened to the files in the directory.
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
      // An editor may be in the midst of writing, whose last write is heard, too.
      if error.code != .resourceBusy {
        report(
          SettingsError(.unavailable, "an edit by hand cannot be read", file: path, cause: error))
      }
    }
    stopListeningIfRemoved()
    notify(names)
    if isEdited {
      // A process that holds the lock takes it over itself, or it is tried again.
      var edited: [SettingsName] = []
      do throws(FileError) { try takeOverEdit(&edited) } catch {}
      // Written again when all is quiet: an editor may save once more.
      writer.withLock { writer in
        writer.isPropertyListLost = true
        scheduleTick(&writer)
      }
      notify(edited)
    }
  }

  /// Takes over what was edited, and leaves the property list as it is.
  private func takeOverEdit(_ names: inout [SettingsName]) throws(FileError) {
    try checkpointing.withLock { (_) throws(FileError) in
      guard let lock = writer.withLock({ $0.lock }) else { return }
      try lock.acquire(LockPart.checkpoint, timeout: .seconds(5))
      holdsCheckpointLock.store(true, ordering: .relaxed)
      defer {
        holdsCheckpointLock.store(false, ordering: .relaxed)
        lock.release(LockPart.checkpoint)
      }
      try writer.withLock { (writer) throws(FileError) in
        try catchUp(&writer, &names)
        if writer.journal != nil { try readEdit(&writer, &names) }
      }
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
      // An editor may have moved it away for a moment. Otherwise it is written again when all is
      // quiet, for those who come know nothing of it.
      writer.isPropertyListLost = true
      scheduleTick(&writer)
      return false
    }
    if let header = SettingsPropertyList.header(of: bytes), header.isSound,
      header.journal >= writer.propertyListJournal
    {
      notePropertyList(stamp, before: header.journal, &writer)
      return false
    }
    if (try? PropertyList.dictionary(parsingXML: bytes)) != nil { return true }
    // An editor may be in the midst of writing, whose last write is heard, too.
    writer.isPropertyListLost = true
    scheduleTick(&writer)
    return false
  }
}
