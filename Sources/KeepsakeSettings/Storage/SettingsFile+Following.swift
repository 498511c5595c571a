import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// Reading external changes, and moving from one journal to the next.
extension SettingsFile {
  /// Reads everything that was appended so far; the writer's lock must be held.
  ///
  /// - Parameter names: Receives the keys that changed externally.
  func catchUp(_ writer: inout Writer, _ names: inout [SettingsName]) throws(FileError) {
    try reopenAfterFork(&writer, &names)
    while writer.journal != nil {
      if writer.end != nil { try handleEnd(&writer, &names) }
      if writer.journal == nil { return }
      _ = try readJournal(&writer, &names)
      if writer.end == nil { return }
    }
  }

  /// Applies the next records of the journal, up to its end record or an offset.
  ///
  /// - Parameters:
  ///   - own: The offsets of this process's own record, at whose end reading stops.
  ///   - names: Receives the keys that changed externally.
  /// - Returns: Whether the own record counts; `nil` if it was not reached.
  func readJournal(
    _ writer: inout Writer, upTo own: Range<Int64>? = nil, _ names: inout [SettingsName]
  ) throws(FileError) -> Bool? {
    var items: [JournalItem] = []
    var damage = JournalDamage()
    var (end, endOffset): (SettingsRecord.Kind?, Int64) = (nil, 0)
    let generation = writer.generation
    let knownDamage = writer.damagedTail
    let tail = try writer.journal?.read(upTo: own?.upperBound) { item in
      switch item {
      case .gap(let range, let isTorn):
        items.append(.gap(range.lowerBound))
        if !isTorn && range.lowerBound != knownDamage { damage.gaps.append(range) }
      case .record(let payload, let range):
        guard let record = SettingsRecord(payload) else {
          damage.unknownRecords += 1
          return true
        }
        if record.kind.isEnd && record.generation == generation {
          endOffset = record.offset
          end = record.kind
          return false
        }
        items.append(.record(record, range.lowerBound))
      }
      return true
    }
    (writer.end, writer.endOffset) = (end, endOffset)
    if tail == .damaged, let end = writer.journal?.end, end != knownDamage {
      damage.isTailDamaged = true
      writer.damagedTail = end
    }
    var ownCounts: Bool?
    var unseen: [SettingsName: PropertyList.Value] = [:]
    if !items.isEmpty {
      contents.withLock { contents in
        var othersCount = false
        var changed: Set<SettingsName> = []
        for item in items {
          switch item {
          case .gap(let offset): contents.noteGap(at: offset)
          case .record(let record, let offset):
            if offset == own?.lowerBound {
              for change in record.changes where changed.contains(change.name) {
                unseen[change.name] = contents[change.name]
              }
            }
            let counts = contents.apply(record, at: offset, in: generation)
            if offset == own?.lowerBound {
              ownCounts = counts
              if counts { contents.sequence += 1 }
            } else if counts {
              othersCount = true
              for change in record.changes where !change.isReadOnly {
                if own != nil { changed.insert(change.name) }
                // Usually one setting changes repeatedly.
                if names.last != change.name { names.append(change.name) }
              }
            }
          }
        }
        if othersCount { contents.sequence += 1 }
      }
    }
    writer.unseen = unseen
    if damage.isDamage, let file = writer.journal?.file {
      writer.damaged = (file, damage)
      writer.doubt.add(.damaged)
      // If this fails, the journal is kept until a later attempt succeeds.
      do throws(FileError) { try quarantineJournal(&writer) } catch {}
    }
    return ownCounts
  }

  /// An item of a journal to apply.
  private enum JournalItem {
    case gap(Int64)
    case record(SettingsRecord, Int64)
  }

  // MARK: Moving to the next journal

  /// Continues after the end of the journal, as its end record says.
  private func handleEnd(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    switch writer.end {
    case .removed: return abandonFiles(&writer)
    case .moved: return try moveToNewFiles(&writer, &names)
    default: break
    }
    // What is at their paths now is not theirs.
    if try fileSystem.information(at: directory)?.identity != writer.directory {
      return try rescue(&writer, &names)
    }
    if try areFilesRemoved(&writer) {
      report(
        SettingsError(
          .unavailable, "the files were removed", effect: "later changes are kept in memory only",
          file: path))
      return abandonFiles(&writer)
    }
    switch writer.end {
    case .reload: try loadAgain(&writer, &names)
    default:
      guard let next = try openJournal(writer.generation + 1, &writer) else {
        // This process was suspended: the property list already contains that journal, too.
        return try loadAgain(&writer, &names)
      }
      begin(next, writer.generation + 1, &writer)
      contents.withLock { $0.beginJournal() }
      watchJournal(&writer)
    }
  }

  /// Whether the files were removed permanently since the journal ended: the next one, which said so, was there before.
  ///
  /// The lock goes last, and may be that of new files of the same name.
  private func areFilesRemoved(_ writer: inout Writer) throws(FileError) -> Bool {
    // What is derived from other files is written again.
    if isDerived { return false }
    for file in [journalPath(writer.generation + 1), path]
    where try fileSystem.information(at: file) != nil { return false }
    guard try writer.journal?.file.information().linkCount == 0 else { return false }
    return try fileSystem.information(at: lockPath)?.identity != writer.lockFile
  }

  /// Opens a journal; creates a missing one, unless the property list contains it.
  ///
  /// - Returns: The journal; `nil` if the property list contains it.
  func openJournal(
    _ generation: UInt64, _ writer: inout Writer
  ) throws(FileError) -> Journal? {
    let path = journalPath(generation)
    let journal: Journal
    do throws(FileError) {
      journal = try Journal(opening: path, .append, in: fileSystem)
    } catch {
      if error.code != .noSuchFileOrDirectory { throw error }
      if try contains(generation, &writer) { return nil }
      let numbers = try journalNumbers()
      // Another process created it meanwhile, and may have ended it already.
      if numbers.contains(generation) { return try openJournal(generation, &writer) }
      // An edited property list has no reliable number. If a later journal exists, the property list
      // contains this one.
      if numbers.contains(where: { $0 > generation }) { return nil }
      journal = try Journal(opening: path, .appendCreating, in: fileSystem)
    }
    // It may have been deleted, and created again by a process that was suspended.
    if try contains(generation, &writer) { return nil }
    return journal
  }

  /// Whether the property list on the disk contains a journal.
  private func contains(
    _ generation: UInt64, _ writer: inout Writer
  ) throws(FileError) -> Bool {
    try propertyListJournal(&writer).map { $0 > generation } ?? false
  }

  /// The first journal that the property list on the disk does not contain; `nil` if it has no
  /// reliable number.
  func propertyListJournal(_ writer: inout Writer) throws(FileError) -> UInt64? {
    let stamp = try fileSystem.information(at: path)
    if stamp == writer.stamp { return writer.propertyListJournal }
    guard let bytes = try fileSystem.readFile(at: path),
      let header = SettingsPropertyList.header(of: bytes), header.isSound
    else { return nil }
    return header.journal
  }

  /// Makes a journal the current one.
  func begin(_ journal: consuming Journal, _ generation: UInt64, _ writer: inout Writer) {
    // After a failed flush only the property list makes changes durable.
    if writer.failedFlush == nil, let file = writer.journal?.file {
      writer.unflushed[writer.generation] = file
      if writer.unflushed.count > 8 { scheduleTick(&writer) }
    }
    writer.journal = consume journal
    writer.generation = generation
    contents.withLock { $0.generation = generation }
    writer.end = nil
    writer.damagedTail = nil
    writer.fork = ProcessFork.count
  }

  /// Opens the files again, and replaces all values.
  func loadAgain(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let before = contents.withLock { $0 }
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: writer.access, isAutomatic: false, report: report)
    try new.load(replacing: self)
    adoptFiles(of: new, &writer)
    var after = new.contents.withLock { $0 }
    names += before.merged.namesThatDiffer(from: after.merged)
    after.replace(before)
    contents.withLock { [after] in $0 = after }
    watchJournal(&writer)
    try beginUnknownOrigin(&writer, &names)
  }

  /// Reads the files, to replace the files and values of another object.
  func load(replacing other: SettingsFile) throws(FileError) {
    if other.holdsCheckpointLock.load(ordering: .relaxed) {
      holdsCheckpointLock.store(true, ordering: .relaxed)
      do throws(FileError) {
        return try load(.sound)
      } catch {
        // Processes that were suspended for less time know more of the edited values: they read first.
        let hasOthers = try writer.withLock { $0.lock }?.hasOtherUsers ?? false
        let count = other.deferredLoads.add(1, ordering: .relaxed).newValue
        if error.code != .resourceBusy || hasOthers && count % 4 != 0 { throw error }
      }
      try load(.edited)
    } else {
      try loadWithRetries(waits: other.isAutomatic)
    }
  }

  /// Replaces the open files with those of another object; the values are unchanged.
  func adoptFiles(of new: SettingsFile, _ writer: inout Writer) {
    flushedName.store(0, ordering: .relaxed)
    new.writer.withLock { new in
      swap(&new.journal, &writer.journal)
      swap(&new.access, &writer.access)
      writer.directory = new.directory
      writer.lockFile = new.lockFile
      writer.generation = new.generation
      writer.end = new.end
      writer.fork = new.fork
      writer.propertyListJournal = new.propertyListJournal
      writer.stamp = new.stamp
      writer.requiresReload = new.requiresReload
      writer.damaged = new.damaged
      writer.damagedTail = new.damagedTail
      writer.doubt.add(new.doubt)
      writer.isPropertyListLost = new.isPropertyListLost
      writer.isDirectoryGone = false
      writer.unflushed = [:]
      writer.epoch += 1
    }
  }

  /// Opens the journal again in a forked child, which would otherwise share its parent's file offset.
  private func reopenAfterFork(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    if writer.fork == ProcessFork.count || writer.journal == nil { return }
    if writer.end == nil { _ = try readJournal(&writer, &names) }
    if writer.end == nil, let old = writer.journal?.file {
      if try isDetached(&writer, &names) { return try rescue(&writer, &names) }
      if writer.end == nil {
        let new = try fileSystem.open(journalPath(writer.generation), .append)
        guard try new.information().identity == old.information().identity else {
          throw FileError(
            .open, old.path, .resourceBusy, effect: "it is being replaced")
        }
        writer.journal?.replaceFile(new)
      }
    }
    writer.fork = ProcessFork.count
  }

  // MARK: External changes

  /// Watches the journal for external changes.
  func watchJournal(_ writer: inout Writer) {
    if !isAutomatic || writer.isClosed { return }
    // Without a watch, external changes are read with the next change, tick or synchronization.
    writer.journalWatch = try? fileSystem.watch(file: journalPath(writer.generation)) { [self] in
      handleExternalChanges()
    }
  }

  /// Watches the directory for files that replace others, and the property list for an editor that
  /// writes it in place.
  func watchDirectory(_ writer: inout Writer) throws(FileError) {
    if writer.isClosed { return }
    // Writes to files of the directory are not watched: each set would take a tenth longer.
    writer.directoryWatch = try fileSystem.watch(namesIn: directory) { [self] _ in
      handleDirectoryChange()
    }
    watchPropertyList(&writer)
  }

  /// Watches the file that is currently the property list.
  func watchPropertyList(_ writer: inout Writer) {
    if writer.directoryWatch == nil || writer.isClosed { return }
    // If there is none yet, the directory's watch reports its creation.
    writer.propertyListWatch = try? fileSystem.watch(file: path) { [self] in
      handleDirectoryChange()
      return true
    }
  }

  /// Reads external changes after a notification by the journal's watch.
  ///
  /// The thread of all watches does not wait for a change in progress, which reads the records before
  /// its own; later records are read soon after.
  ///
  /// - Returns: Whether external changes were read.
  @discardableResult
  func handleExternalChanges() -> Bool {
    if isRereading.load(ordering: .relaxed) { return false }
    let start = appends.load(ordering: .acquiring)
    let isAppending = notifiedAppends.exchange(start, ordering: .relaxed) != start
    for attempt in 0..<4 {
      // Usually this process's own change was reported. After two more appends everything was read: the
      // second one began after the notification.
      if attempt > 0 || isAppending {
        usleep(20)
        if appends.load(ordering: .acquiring) >= start + 2 { return false }
      }
      if let result = writer.withLockIfAvailable({ readExternalChanges(&$0) }) {
        finishReading(result)
        return !result.names.isEmpty
      }
    }
    if isRereading.exchange(true, ordering: .acquiringAndReleasing) { return false }
    notifying.asyncAfter(deadline: .now() + .milliseconds(2)) { [self] in
      isRereading.store(false, ordering: .releasing)
      handleExternalChanges()
    }
    return false
  }

  private func finishReading(_ result: (names: [SettingsName], failure: FileError?)) {
    if let error = result.failure {
      report(
        SettingsError(
          .unavailable, "another process's changes cannot be read",
          effect: "the values read before are used", file: path, cause: error))
    }
    stopListeningIfRemoved()
    notify(result.names, on: notifying)
  }

  private func readExternalChanges(
    _ writer: inout Writer
  ) -> (names: [SettingsName], failure: FileError?) {
    var names: [SettingsName] = []
    do throws(FileError) {
      if writer.isClosed { return ([], nil) }
      try catchUp(&writer, &names)
      if !names.isEmpty { scheduleTick(&writer) }
      return (names, nil)
    } catch {
      return (names, error)
    }
  }
}

/// The parts of a journal that cannot be read.
struct JournalDamage {
  /// Offsets of bytes between records that no write can have left.
  var gaps: [Range<Int64>] = []
  /// Whether the bytes after the last record are damaged.
  var isTailDamaged = false
  /// How many complete records have an unknown format.
  var unknownRecords = 0

  var isDamage: Bool { !gaps.isEmpty || isTailDamaged || unknownRecords > 0 }
}
