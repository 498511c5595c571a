import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension SettingsFile {
  /// Opens the files, and repairs what a kill, a power cut or an editor left.
  ///
  /// - Parameters:
  ///   - path: The property list; its journals and its lock lie beside it.
  ///   - isReadOnly: Whether the property list alone is read, and never written.
  ///   - isAutomatic: Whether the files are watched, flushed and written without being asked.
  ///   - report: Receives what was damaged, and errors that no caller receives.
  /// - Throws: ``SettingsError`` where something is there that cannot be read: unavailable is not
  ///   empty.
  convenience init(
    opening path: FilePath, in fileSystem: any FileSystem, isReadOnly: Bool = false,
    isAutomatic: Bool = true, report: @escaping @Sendable (SettingsError) -> Void
  ) throws(SettingsError) {
    self.init(
      path: path, fileSystem: fileSystem, access: .readOnly, isAutomatic: isAutomatic,
      report: report)
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
          writer.withLock { [error] in $0.refusal = error }
          report(
            SettingsError(
              .notWritten, "the settings can be read, but not written", file: path, cause: error))
        }
      }
      _ = try writer.withLock { (writer) throws(FileError) in try reread(&writer) }
      if try fileSystem.information(at: directory) != nil {
        try writer.withLock { (writer) throws(FileError) in try watchDirectory(&writer) }
      }
    } catch {
      throw SettingsError(
        .unavailable, "the settings cannot be read", file: path, cause: error)
    }
  }

  /// Opens the files for writing.
  private func open() throws(FileError) {
    try fileSystem.createDirectories(directory)
    // A link could lead to files that are not the app's.
    if try fileSystem.information(at: directory)?.kind == .symbolicLink {
      throw FileError(.open, directory, .tooManySymbolicLinkLevels)
    }
    let lock = try fileSystem.lock(at: lockPath)
    writer.withLock { $0 = Writer(access: .readWrite(lock)) }
    do throws(FileError) {
      try loadPatiently(waits: isAutomatic)
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
    // At once, so that what is damaged is found, kept and reported once; where another process does so
    // already, or it fails, with the next tick.
    if needsRepair {
      do throws(FileError) { try checkpoint(timeout: .seconds(5)) } catch {
        writer.withLock { scheduleTick(&$0) }
      }
    }
  }

  /// - Returns: Whether the files are to be repaired.
  private func beginWriting() throws(FileError) -> Bool {
    try writer.withLock { (writer) throws(FileError) in
      watchJournal(&writer)
      var names: [SettingsName] = []
      try catchUp(&writer, &names)
      if writer.generation > writer.propertyListJournal || writer.journal?.end != 0 {
        scheduleTick(&writer)
      }
      return writer.damaged != nil || writer.isPropertyListLost
    }
  }

  /// Reads the files, and waits up to five seconds for a property list that another process is to
  /// write.
  ///
  /// An editor that writes the property list in place, or moves it away for a moment, is soon done;
  /// otherwise a process that has it open writes it again about a second later. Where none has, this
  /// one does.
  ///
  /// - Parameter waits: Whether to wait at all.
  func loadPatiently(waits: Bool) throws(FileError) {
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

  /// Removes what a process that was killed left of a property list that it wrote.
  private func removeLeftovers(_ lock: any FileLock) {
    // One that came meanwhile may be writing its own.
    do throws(FileError) { try lock.acquire(LockPart.checkpoint, timeout: .zero) } catch { return }
    defer { lock.release(LockPart.checkpoint) }
    try? fileSystem.removeLeftovers(of: [path], in: directory)
  }

  /// Reads a property list that is edited or damaged, if no process is there that knows more.
  ///
  /// - Returns: Whether it did.
  private func loadUnsound(
    _ lock: any FileLock, isLastAttempt: Bool
  ) throws(FileError) -> Bool {
    let isOnlyProcess = try !lock.hasOtherUsers
    if !isOnlyProcess && !isLastAttempt { return false }
    // Of two that open the store at once, the second finds what the first has written.
    try lock.acquire(LockPart.checkpoint, timeout: .seconds(5))
    holdsCheckpointLock.store(true, ordering: .relaxed)
    defer {
      holdsCheckpointLock.store(false, ordering: .relaxed)
      lock.release(LockPart.checkpoint)
    }
    if try lock.hasOtherUsers && !isLastAttempt { return false }
    do throws(FileError) {
      try load(isOnlyProcess ? .damaged : .edited)
    } catch {
      if error.code == .resourceBusy { return false }
      throw error
    }
    try lock.announceUser()
    if isOnlyProcess { try? fileSystem.removeLeftovers(of: [path], in: directory) }
    var names: [SettingsName] = []
    // Where it fails the journals have all, and it is tried again with the next tick.
    do throws(FileError) { try checkpointHoldingLock(&names) } catch {
      writer.withLock { scheduleTick(&$0) }
    }
    return true
  }

  /// Which property lists can be read.
  enum Soundness {
    /// One that this library wrote.
    case sound
    /// One that somebody edited, too.
    case edited
    /// One that is damaged or missing, too.
    case damaged
  }

  /// Reads the property list, and the journals that it does not contain.
  func load(_ soundness: Soundness) throws(FileError) {
    try writer.withLock { (writer) throws(FileError) in
      while true {
        let first = try readPropertyList(&writer, soundness)
        if try follow(from: first, soundness, &writer) { return }
      }
    }
  }

  /// Reads the property list; of one that is damaged, which is quarantined, what is good.
  ///
  /// - Returns: The number of the first journal that it does not contain.
  private func readPropertyList(
    _ writer: inout Writer, _ soundness: Soundness
  ) throws(FileError) -> UInt64 {
    writer.isPropertyListLost = false
    writer.isEditForeign = false
    writer.stamp = try fileSystem.information(at: path)
    var values = ValueTable.empty
    var journal: UInt64?
    var isSound = false
    if let bytes = try fileSystem.readFile(at: path) {
      let header = SettingsPropertyList.header(of: bytes)
      isSound = header?.isSound ?? false
      journal = header?.journal
      if !isSound && soundness == .sound { throw beingWritten(path) }
      do throws(PropertyList.ParseError) {
        values = try ValueTable(parsingXML: bytes)
      } catch {
        if soundness != .damaged { throw beingWritten(path) }
        let recovery = PropertyList.recover(bytes)
        try quarantinePropertyList(
          bytes, [error] + recovery.faults, kept: recovery.value.count)
        values = ValueTable(recovery.value)
        isSound = false
      }
    } else {
      writer.stamp = nil
    }
    if !isSound {
      // The lowest journal that is there is the first that an edited or missing one does not contain.
      let numbers = try journalNumbers()
      let first = numbers.first { $0 >= journal ?? 1 } ?? numbers.first ?? journal ?? 1
      // The first property list is written when there is something to write.
      let isNew = writer.stamp == nil && (numbers.isEmpty || first == 1)
      if !isNew && writer.stamp == nil {
        // The first one may have been written since the look for it.
        if try fileSystem.information(at: path) != nil {
          return try readPropertyList(&writer, soundness)
        }
        if soundness != .damaged { throw beingWritten(path) }
      }
      writer.isPropertyListLost = !isNew
      writer.isEditForeign = !isNew
      journal = first
    }
    let first = journal ?? 1
    contents.withLock { $0 = SettingsContents(values, sequence: $0.sequence + 1) }
    writer.propertyListJournal = first
    return first
  }

  /// That a file is missing or half written, while others know what it says.
  private func beingWritten(_ file: FilePath) -> FileError {
    FileError(
      .read, file, .resourceBusy, effect: "those who have it open are yet to write it again")
  }

  /// Reads journals one after the other, from the first that the property list does not contain.
  ///
  /// - Returns: Whether it came to the current one; false where the property list changed meanwhile.
  private func follow(
    from first: UInt64, _ soundness: Soundness, _ writer: inout Writer
  ) throws(FileError) -> Bool {
    var generation = first
    var names: [SettingsName] = []
    while true {
      // Listed before the journal is read: one that has records follows one that has ended.
      let hasLater = try hasRecords(after: generation)
      guard let journal = try openJournal(generation, &writer) else {
        if try fileSystem.information(at: path) != writer.stamp { return false }
        // An old property list was put back, or somebody removed a journal.
        guard soundness != .sound,
          let next = try journalNumbers().first(where: { $0 > generation })
        else { throw beingWritten(path) }
        generation = next
        writer.isPropertyListLost = true
        writer.isEditForeign = true
        continue
      }
      begin(journal, generation, &writer)
      _ = try readJournal(&writer, &names)
      if writer.end == nil && hasLater {
        // A power cut took its end.
        try appendEnd(.end, &writer)
        _ = try readJournal(&writer, &names)
      }
      switch writer.end {
      case nil: return true
      case .removed: throw beingWritten(journalPath(generation))
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

  /// Opens for writing what could only be read before: a disk that was full may have room by now.
  ///
  /// - Returns: The names whose values others changed meanwhile.
  func reopen(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    // Beside what is there, so that who reads meanwhile sees all of the old or all of the new.
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: .readOnly, isAutomatic: false, report: report)
    try new.open()
    // What the attempt before left may not survive a power cut: all is written again first.
    writer.failedFlush = writer.refusal
    writer.refusal = nil
    take(new, &writer)
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

  /// Reads the property list, and where it has any the journals, of files that are not written here.
  func reread(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    let stamp = try fileSystem.information(at: path)
    let bytes = try fileSystem.readFile(at: path)
    let recovery = bytes.map { PropertyList.recover($0) }
    if let fault = recovery?.faults.first {
      report(
        SettingsError(
          .damaged, "the property list is damaged; what is good in it counts", file: path,
          cause: fault))
    }
    writer.stamp = stamp
    var new = SettingsContents(ValueTable(recovery?.value ?? [:]))
    if writer.refusal != nil, try fileSystem.information(at: directory) != nil {
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
