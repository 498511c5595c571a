import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// How a process reads what others append, and goes on from one journal to the next.
extension SettingsFile {
  /// Reads everything that was appended so far; called with the writer's lock held.
  ///
  /// - Parameter names: Receives the keys that others changed.
  func catchUp(_ writer: inout Writer, _ names: inout [SettingsName]) throws(FileError) {
    try reopenAfterFork(&writer, &names)
    while writer.journal != nil {
      if writer.end != nil { try followEnd(&writer, &names) }
      if writer.journal == nil { return }
      _ = try readJournal(&writer, &names)
      if writer.end == nil { return }
    }
  }

  /// Applies the records that follow in the journal, up to its end record or an offset.
  ///
  /// - Parameters:
  ///   - own: This process's own record, at whose end reading stops.
  ///   - names: Receives the keys that others changed.
  /// - Returns: Whether the own record counts; `nil` where reading did not come to it.
  func readJournal(
    _ writer: inout Writer, upTo own: Range<Int64>? = nil, _ names: inout [SettingsName]
  ) throws(FileError) -> Bool? {
    var items: [JournalItem] = []
    var damage = JournalDamage()
    var end: SettingsRecord.Kind?
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
          end = record.kind
          return false
        }
        items.append(.record(record, range.lowerBound))
      }
      return true
    }
    writer.end = end
    if tail == .damaged, let end = writer.journal?.end, end != knownDamage {
      damage.isTailDamaged = true
      writer.damagedTail = end
    }
    var ownCounts: Bool?
    if !items.isEmpty {
      contents.withLock { contents in
        var othersCount = false
        for item in items {
          switch item {
          case .gap(let offset): contents.noteGap(at: offset)
          case .record(let record, let offset):
            let counts = contents.apply(record, at: offset, in: generation)
            if offset == own?.lowerBound {
              ownCounts = counts
              if counts { contents.sequence += 1 }
            } else if counts {
              othersCount = true
              for change in record.changes where !change.isReadOnly {
                // Most often one setting is changed again and again.
                if names.last != change.name { names.append(change.name) }
              }
            }
          }
        }
        if othersCount { contents.sequence += 1 }
      }
    }
    if damage.isDamage, let file = writer.journal?.file {
      writer.damaged = (file, damage)
      // Where it fails now, the journal stays until it succeeds.
      do throws(FileError) { try quarantineJournal(&writer) } catch {}
    }
    return ownCounts
  }

  /// What reading a journal came to.
  private enum JournalItem {
    case gap(Int64)
    case record(SettingsRecord, Int64)
  }

  // MARK: From journal to journal

  /// Goes on where the journal ended.
  private func followEnd(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    switch writer.end {
    case .removed: abandonFiles(&writer)
    case .reload: try loadAgain(&writer, &names)
    case .moved: try moveToNewFiles(&writer, &names)
    case .end, .set, .transaction, nil:
      guard let next = try openJournal(writer.generation + 1, &writer) else {
        // A process that slept: the property list contains that journal, too.
        return try loadAgain(&writer, &names)
      }
      begin(next, writer.generation + 1, &writer)
      contents.withLock { $0.beginJournal() }
      watchJournal(&writer)
    }
  }

  /// Opens a journal; a missing one is made, unless the property list contains it.
  ///
  /// - Returns: The journal; `nil` where the property list contains it.
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
      // Another process made it meanwhile, and may have ended it already.
      if numbers.contains(generation) { return try openJournal(generation, &writer) }
      // Where an edited property list does not say, a later journal does.
      if numbers.contains(where: { $0 > generation }) { return nil }
      journal = try Journal(opening: path, .appendCreating, in: fileSystem)
    }
    // It may have been deleted, and made again by a process that slept.
    if try contains(generation, &writer) { return nil }
    return journal
  }

  /// Whether the property list on the disk contains a journal.
  private func contains(
    _ generation: UInt64, _ writer: inout Writer
  ) throws(FileError) -> Bool {
    try propertyListJournal(&writer).map { $0 > generation } ?? false
  }

  /// The first journal that the property list on the disk does not contain; `nil` where it does not
  /// say.
  func propertyListJournal(_ writer: inout Writer) throws(FileError) -> UInt64? {
    let stamp = try fileSystem.information(at: path)
    if stamp == writer.stamp { return writer.propertyListJournal }
    guard let bytes = try fileSystem.readFile(at: path),
      let header = SettingsPropertyList.header(of: bytes), header.isSound
    else { return nil }
    return header.journal
  }

  /// Makes a journal the one that is written.
  func begin(_ journal: consuming Journal, _ generation: UInt64, _ writer: inout Writer) {
    // After a flush that failed, only the property list makes anything safe.
    if writer.failedFlush == nil, let file = writer.journal?.file {
      writer.unflushed[writer.generation] = file
      if writer.unflushed.count > 8 { scheduleTick(&writer) }
    }
    writer.journal = consume journal
    writer.generation = generation
    writer.end = nil
    writer.damagedTail = nil
    writer.fork = ProcessFork.count
  }

  /// Reads the files again as if they were opened now, in place of what is known.
  func loadAgain(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let before = contents.withLock { $0 }
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: writer.access, isAutomatic: false, report: report)
    try new.load(besides: self)
    take(new, &writer)
    var after = new.contents.withLock { $0 }
    names += before.merged.namesThatDiffer(from: after.merged)
    after.replace(before)
    contents.withLock { [after] in $0 = after }
    watchJournal(&writer)
  }

  /// Reads the files, as an object does that another one puts in its own place.
  func load(besides other: SettingsFile) throws(FileError) {
    if other.holdsCheckpointLock.load(ordering: .relaxed) {
      holdsCheckpointLock.store(true, ordering: .relaxed)
      do throws(FileError) {
        return try load(.sound)
      } catch {
        // Of an edited property list, those who slept less know more: they are let go first.
        let hasOthers = try writer.withLock { $0.lock }?.hasOtherUsers ?? false
        let count = other.deferredLoads.add(1, ordering: .relaxed).newValue
        if error.code != .resourceBusy || hasOthers && count % 4 != 0 { throw error }
      }
      try load(.edited)
    } else {
      try loadPatiently(waits: other.isAutomatic)
    }
  }

  /// Goes on with the files that another object opened; its values are not taken.
  func take(_ new: SettingsFile, _ writer: inout Writer) {
    flushedName.store(0, ordering: .relaxed)
    new.writer.withLock { new in
      swap(&new.journal, &writer.journal)
      swap(&new.access, &writer.access)
      writer.generation = new.generation
      writer.end = new.end
      writer.fork = new.fork
      writer.propertyListJournal = new.propertyListJournal
      writer.stamp = new.stamp
      writer.isEditForeign = new.isEditForeign
      writer.damaged = new.damaged
      writer.damagedTail = new.damagedTail
      writer.isPropertyListLost = new.isPropertyListLost
      writer.isDirectoryGone = false
      writer.unflushed = [:]
      writer.epoch += 1
    }
  }

  /// Opens the journal again in a forked child, which shares its parent's offset otherwise.
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
            .open, old.path, .resourceBusy, effect: "it is being replaced; nothing was changed")
        }
        writer.journal?.replaceFile(new)
      }
    }
    writer.fork = ProcessFork.count
  }

  // MARK: Changes by others

  /// Watches the journal for what others append.
  func watchJournal(_ writer: inout Writer) {
    if !isAutomatic || writer.isClosed { return }
    // Without a watch what others wrote is read with the next change, tick or synchronization.
    writer.journalWatch = try? fileSystem.watch(file: journalPath(writer.generation)) { [self] in
      handleExternalChanges()
    }
  }

  /// Watches the directory for files that take another's place, and the property list for an editor
  /// that writes it in place.
  func watchDirectory(_ writer: inout Writer) throws(FileError) {
    if writer.isClosed { return }
    // What is written to files of the directory is not watched: each set would cost a tenth more.
    writer.directoryWatch = try fileSystem.watch(namesIn: directory) { [self] in
      handleDirectoryChange()
    }
    watchPropertyList(&writer)
  }

  /// Watches the file that is the property list now.
  func watchPropertyList(_ writer: inout Writer) {
    if writer.directoryWatch == nil || writer.isClosed { return }
    // Where there is none yet, the directory's watch tells when one comes.
    writer.propertyListWatch = try? fileSystem.watch(file: path) { [self] in
      handleDirectoryChange()
      return true
    }
  }

  /// Reads what others appended, as the journal's watch says.
  ///
  /// The watches of other files do not wait for a change under way, which reads what others appended
  /// before it; what came after it is read soon.
  ///
  /// - Returns: Whether others changed anything, as far as was read.
  @discardableResult
  func handleExternalChanges() -> Bool {
    if isRereading.load(ordering: .relaxed) { return false }
    let start = appends.load(ordering: .acquiring)
    let isAppending = heardAppends.exchange(start, ordering: .relaxed) != start
    for attempt in 0..<4 {
      // Most often it is this process's own change. Of two more the second began after the watch spoke,
      // and read everything before it.
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
          .unavailable, "another process's changes cannot be read", file: path, cause: error))
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

/// What of a journal cannot be read.
struct JournalDamage {
  /// Bytes between records that no write leaves.
  var gaps: [Range<Int64>] = []
  /// Whether the bytes behind the last record are such.
  var isTailDamaged = false
  /// Whole records of another version.
  var unknownRecords = 0

  var isDamage: Bool { !gaps.isEmpty || isTailDamaged || unknownRecords > 0 }
}

extension [String: PropertyList.Value] {
  /// The names whose values are not the same in two dictionaries.
  ///
  /// - Complexity: O(*n*) in the keys of both.
  func namesThatDiffer(from other: Self) -> [SettingsName] {
    (filter { other[$0.key] != $0.value }.keys + other.keys.filter { self[$0] == nil })
      .map { SettingsName($0) }
  }
}
