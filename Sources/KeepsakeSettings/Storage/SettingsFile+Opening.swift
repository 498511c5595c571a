import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension SettingsFile {
  /// Opens the files, and repairs them after a killed process, a power cut or a manual edit.
  ///
  /// - Parameters:
  ///   - path: The property list; its journals and its lock are in the same directory.
  ///   - isReadOnly: Whether only the property list is read, and nothing is written.
  ///   - isAutomatic: Whether the files are watched, flushed and checkpointed automatically.
  ///   - isDerived: Whether the values say nothing about other files that are put in the place of these.
  ///   - report: Receives damage, and errors that are not thrown to a caller.
  /// - Throws: ``SettingsError`` if files exist and cannot be read; unavailable settings are never
  ///   treated as empty.
  convenience init(
    opening path: FilePath, in fileSystem: any FileSystem, isReadOnly: Bool = false,
    isAutomatic: Bool = true, isDerived: Bool = false,
    report: @escaping @Sendable (SettingsError) -> Void
  ) throws(SettingsError) {
    self.init(
      path: path, fileSystem: fileSystem, access: .readOnly, isAutomatic: isAutomatic,
      isDerived: isDerived, report: report)
    do throws(FileError) {
      if !isReadOnly {
        do throws(FileError) {
          try open()
          return
        } catch {
          let isProtected: [Errno] = [
            .permissionDenied, .readOnlyFileSystem, .notPermitted, .noSpace, .diskQuotaExceeded,
          ]
          guard isProtected.contains(error.code) else { throw error }
          writer.withLock { [error] in $0.openError = error }
          report(
            SettingsError(
              .notWritten, "the settings cannot be written", effect: "they can be read", file: path,
              cause: error))
        }
      }
      _ = try writer.withLock { (writer) throws(FileError) in try reread(&writer) }
      if try fileSystem.information(at: directory) != nil {
        try writer.withLock { (writer) throws(FileError) in try watchDirectory(&writer) }
      }
    } catch {
      throw SettingsError(
        .unavailable, "the settings cannot be read", effect: "nothing was changed", file: path,
        cause: error)
    }
  }

  /// Opens the files for writing.
  private func open() throws(FileError) {
    try fileSystem.createDirectories(directory)
    // A link could lead to files that do not belong to the app.
    if try fileSystem.information(at: directory)?.kind == .symbolicLink {
      throw FileError(.open, directory, .tooManySymbolicLinkLevels)
    }
    let lock = try fileSystem.lock(at: lockPath)
    writer.withLock { $0 = Writer(access: .readWrite(lock)) }
    do throws(FileError) {
      try loadWithRetries(waits: isAutomatic)
    } catch {
      writer.withLock { $0 = Writer(access: .readOnly) }
      throw error
    }
    var needsRepair = false
    do throws(FileError) {
      if isAutomatic {
        try writer.withLock { (writer) throws(FileError) in try watchDirectory(&writer) }
        SettingsFiles.closeAtExit(self)
      }
      needsRepair = try beginWriting()
    } catch {
      stopListening()
      writer.withLock { $0 = Writer(access: .readOnly) }
      throw error
    }
    // Immediately, so that damage is found, quarantined and reported once. If another process is
    // writing, or this fails, the next tick tries again.
    if needsRepair {
      do throws(FileError) { try checkpoint(timeout: .seconds(5)) } catch {
        writer.withLock { scheduleTick(&$0) }
      }
    }
  }

  /// - Returns: Whether the files must be repaired.
  private func beginWriting() throws(FileError) -> Bool {
    try writer.withLock { (writer) throws(FileError) in
      watchJournal(&writer)
      var names: [SettingsName] = []
      try catchUp(&writer, &names)
      try beginOrigin(&writer, &names)
      if writer.generation > writer.propertyListJournal || writer.journal?.end != 0 {
        scheduleTick(&writer)
      }
      return writer.damaged != nil || writer.isPropertyListLost
    }
  }

  /// Reads the files, and waits up to five seconds for a property list that another process must
  /// write.
  ///
  /// An editor that writes the property list in place, or renames it temporarily, finishes soon.
  /// Otherwise a process that has it open writes it again about a second later. If there is no such
  /// process, this one writes it.
  ///
  /// - Parameter waits: Whether to wait at all.
  func loadWithRetries(waits: Bool) throws(FileError) {
    guard let lock = writer.withLock({ $0.lock }) else { return }
    var attempts = waits ? 250 : 1
    while true {
      do throws(FileError) {
        try load(.sound)
        let isOnlyProcess = try !lock.hasOtherUsers
        try lock.announceUser()
        if isOnlyProcess { removeLeftovers(lock) }
        return
      } catch {
        if error.code != .resourceBusy { throw error }
        attempts -= 1
        if try loadUnsound(lock, isLastAttempt: attempts == 0) { return }
        if attempts == 0 { throw error }
      }
      usleep(20_000)
    }
  }

  /// Whether somebody has put a property list in place since the journals' end says that the files are removed.
  private func isRestored() throws(FileError) -> Bool {
    try writer.withLock { (writer) throws(FileError) in
      guard let stamp = writer.stamp else { return false }
      if writer.isPropertyListLost { return true }
      let ended = try writer.journal?.file.information().modified
      return ended.map { stamp.modified > $0 } ?? false
    }
  }

  /// Removes temporary files of processes that were killed while they wrote the property list.
  private func removeLeftovers(_ lock: any FileLock) {
    // Another process may have opened the files since, and may be writing its own.
    do throws(FileError) { try lock.acquire(LockPart.checkpoint, timeout: .zero) } catch { return }
    defer { lock.release(LockPart.checkpoint) }
    try? fileSystem.removeLeftovers(of: [path], in: directory)
  }

  /// Reads an edited or damaged property list, unless another process has the files open and may
  /// still write it.
  ///
  /// - Returns: Whether it was read.
  private func loadUnsound(
    _ lock: any FileLock, isLastAttempt: Bool
  ) throws(FileError) -> Bool {
    let isOnlyProcess = try !lock.hasOtherUsers
    if !isOnlyProcess && !isLastAttempt { return false }
    // If two processes open the store concurrently, the second reads what the first has written.
    try lock.acquire(LockPart.checkpoint, timeout: .seconds(5))
    holdsCheckpointLock.store(true, ordering: .relaxed)
    defer {
      holdsCheckpointLock.store(false, ordering: .relaxed)
      lock.release(LockPart.checkpoint)
    }
    if try lock.hasOtherUsers && !isLastAttempt { return false }
    let soundness = isOnlyProcess ? Soundness.damaged : .edited
    do throws(FileError) {
      try load(soundness)
    } catch {
      if error.code != .resourceBusy { throw error }
      // Who removes the files holds the lock, and so was killed.
      guard writer.withLock({ $0.end == .removed }) else { return false }
      try removeContents(exceptPropertyList: isRestored())
      try load(soundness)
    }
    try lock.announceUser()
    if isOnlyProcess { try? fileSystem.removeLeftovers(of: [path], in: directory) }
    var names: [SettingsName] = []
    // If this fails, the journals contain all changes, and the next tick tries again.
    do throws(FileError) { try checkpointHoldingLock(&names) } catch {
      writer.withLock { scheduleTick(&$0) }
    }
    return true
  }

  /// Which property lists are accepted.
  enum Soundness {
    /// Only one that this library wrote.
    case sound
    /// Also one that was edited.
    case edited
    /// Also one that is damaged or missing.
    case damaged
  }

  /// Reads the property list and the journals that it does not contain.
  func load(_ soundness: Soundness) throws(FileError) {
    try writer.withLock { (writer) throws(FileError) in
      writer.directory = try fileSystem.information(at: directory)?.identity
      writer.lockFile = try fileSystem.information(at: lockPath)?.identity
      writer.end = nil
      while true {
        let (first, isComplete) = try readPropertyList(&writer, soundness)
        if !isComplete { contents.withLock { $0.noteMissingJournal() } }
        let revision = contents.withLock { $0.log?.revision }
        guard try readJournals(from: first, soundness, &writer) else { continue }
        // The revision is of what a missing journal has brought, too.
        if !isComplete, contents.withLock({ $0.log?.revision }) != revision {
          writer.doubt.add(.damaged)
        }
        return
      }
    }
  }

  /// Reads the property list; quarantines a damaged one, and reads its intact values.
  ///
  /// - Returns: The number of the first journal that it does not contain, as far as there are any, and whether none is
  ///   missing before that.
  private func readPropertyList(
    _ writer: inout Writer, _ soundness: Soundness
  ) throws(FileError) -> (first: UInt64, isComplete: Bool) {
    writer.isPropertyListLost = false
    writer.doubt = nil
    writer.requiresReload = false
    writer.stamp = try fileSystem.information(at: path)
    var values = ValueTable.empty
    var log: SyncLog?
    var journal: UInt64?
    var (isSound, isComplete) = (false, true)
    if let bytes = try fileSystem.readFile(at: path) {
      let header = SettingsPropertyList.header(of: bytes)
      isSound = header?.isSound ?? false
      journal = header?.journal
      log = SettingsPropertyList.log(in: bytes)
      if !isSound && soundness == .sound { throw beingWritten(path) }
      do throws(PropertyList.ParseError) {
        values = try ValueTable(parsing: bytes)
      } catch {
        if soundness != .damaged { throw beingWritten(path) }
        let recovery = PropertyList.recover(bytes)
        try quarantinePropertyList(
          bytes, [error] + recovery.errors, kept: recovery.entries.count)
        values = ValueTable(recovery.entries)
        // What is missing now was not removed.
        log?.forgetChanges { values[$0] == nil }
        isSound = false
        writer.doubt = .damaged
      }
    } else {
      writer.stamp = nil
    }
    if !isSound {
      // The lowest existing journal is the first that an edited or missing one does not contain.
      let numbers = try journalNumbers()
      let first = numbers.first { $0 >= journal ?? 1 } ?? numbers.first ?? journal ?? 1
      // The first property list is not written before the first change.
      let isNew = writer.stamp == nil && (numbers.isEmpty || first == 1)
      if !isNew && writer.stamp == nil {
        // The first one may have been written after the attempt to read it.
        if try fileSystem.information(at: path) != nil {
          return try readPropertyList(&writer, soundness)
        }
        if soundness != .damaged { throw beingWritten(path) }
      }
      writer.isPropertyListLost = !isNew
      writer.requiresReload = !isNew
      if !isNew { writer.doubt = writer.doubt ?? (writer.stamp == nil ? .damaged : .edited) }
      isComplete = first <= journal ?? first
      journal = first
    }
    let first = journal ?? 1
    contents.withLock { $0 = SettingsContents(values, log: log, sequence: $0.sequence + 1) }
    writer.propertyListJournal = first
    return (first, isComplete)
  }

  /// The error for a file that is missing or incomplete, while other processes know its contents.
  private func beingWritten(_ file: FilePath) -> FileError {
    FileError(
      .read, file, .resourceBusy, effect: "a process that has it open has not written it again yet")
  }

  /// Reads journals in order, from the first that the property list does not contain.
  ///
  /// - Returns: Whether the current one was reached; false if the property list changed meanwhile.
  private func readJournals(
    from first: UInt64, _ soundness: Soundness, _ writer: inout Writer
  ) throws(FileError) -> Bool {
    var generation = first
    var isEndLost = false
    var names: [SettingsName] = []
    while true {
      // Listed before the journal is read: only a journal that has ended is followed by one with records.
      let hasLater = try hasRecords(after: generation)
      guard let journal = try openJournal(generation, &writer) else {
        if try fileSystem.information(at: path) != writer.stamp { return false }
        // An old property list was restored, or a journal was removed.
        guard soundness != .sound,
          let next = try journalNumbers().first(where: { $0 > generation })
        else { throw beingWritten(path) }
        generation = next
        contents.withLock { $0.noteMissingJournal() }
        writer.doubt.add(.damaged)
        writer.isPropertyListLost = true
        writer.requiresReload = true
        continue
      }
      begin(journal, generation, &writer)
      _ = try readJournal(&writer, &names)
      if writer.end == nil && hasLater {
        try appendEnd(.lost, &writer)
        _ = try readJournal(&writer, &names)
      }
      switch writer.end {
      case nil:
        // Who has noticed it before has noted it with the origin that it began.
        if isEndLost, contents.withLock({ !$0.isLossNoted }) { writer.doubt.add(.damaged) }
        return true
      case .removed: throw beingWritten(journalPath(generation))
      case .lost:
        contents.withLock { $0.noteMissingJournal() }
        isEndLost = true
      default: break
      }
      contents.withLock { $0.beginJournal() }
      generation += 1
    }
  }

  private func hasRecords(after generation: UInt64) throws(FileError) -> Bool {
    for number in try journalNumbers() where number > generation {
      if try fileSystem.information(at: journalPath(number))?.size ?? 0 > 0 { return true }
    }
    return false
  }

  // MARK: Files that cannot be written

  /// Opens files for writing that could only be read before: a full disk may have space again.
  ///
  /// - Returns: The names whose values changed externally meanwhile.
  func reopen(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    // In a separate object, so that a concurrent read returns either all old or all new values.
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: .readOnly, isAutomatic: false, report: report)
    try new.open()
    // Files from the failed attempt may not survive a power cut: everything is written again first.
    writer.failedFlush = writer.openError
    writer.openError = nil
    adoptFiles(of: new, &writer)
    if isAutomatic {
      if writer.directoryWatch == nil { try watchDirectory(&writer) }
      watchJournal(&writer)
      SettingsFiles.closeAtExit(self)
    }
    scheduleTick(&writer)
    let opened = new.contents.withLock { $0 }
    return contents.withLock { contents in
      let before = contents
      contents = opened
      contents.sequence = before.sequence + 1
      return before.merged.namesThatDiffer(from: opened.merged)
    }
  }

  /// Reads the property list, and its journals if there are any, of files that this process cannot
  /// write.
  func reread(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    // A checkpoint meanwhile replaces the property list and then removes the journal that was to be read.
    var names: [SettingsName] = []
    for _ in 0..<100 {
      do throws(FileError) {
        names += try rereadOnce(&writer)
      } catch {
        if error.code == .noSuchFileOrDirectory { continue }
        throw error
      }
      if try fileSystem.information(at: path) == writer.stamp { return names }
    }
    throw FileError(.read, path, .resourceBusy, effect: "another process wrote it again and again")
  }

  private func rereadOnce(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    let stamp = try fileSystem.information(at: path)
    let bytes = try fileSystem.readFile(at: path)
    let recovery = bytes.map { PropertyList.recover($0) }
    if let error = recovery?.errors.first {
      report(
        SettingsError(
          .damaged, "the property list is damaged", effect: "its intact values are used",
          file: path,
          cause: error))
    }
    writer.stamp = stamp
    var new = SettingsContents(ValueTable(recovery?.entries ?? []))
    if writer.openError != nil, try fileSystem.information(at: directory) != nil {
      let first = bytes.flatMap { SettingsPropertyList.header(of: $0)?.journal } ?? 1
      for number in try journalNumbers() where number >= first {
        var journal = try Journal(opening: journalPath(number), .read, in: fileSystem)
        _ = try journal.read { item in
          switch item {
          case .gap(let range, _): new.noteGap(at: range.lowerBound)
          case .record(let payload, let range):
            guard let record = SettingsRecord(payload) else { return true }
            if record.kind.isEnd { return false }
            _ = new.apply(record, at: range.lowerBound, in: number)
          }
          return true
        }
        new.beginJournal()
      }
    }
    return contents.withLock { [new] contents in
      let before = contents
      contents = new
      contents.sequence = before.sequence + 1
      return before.merged.namesThatDiffer(from: new.merged)
    }
  }
}
