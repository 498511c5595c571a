import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension SettingsFile {
  /// Opens the files, and makes good what a kill or a power cut left half done.
  ///
  /// - Parameters:
  ///   - path: The property list; its journal and its lock lie beside it.
  ///   - isReadOnly: Whether the property list alone is read, and never written.
  ///   - isAutomatic: Whether the files are flushed and the property list is written by themselves.
  ///   - report: Told of what was damaged, and of errors that no caller hears of.
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
      if try fileSystem.information(at: folder) != nil { try watchFolder() }
    } catch {
      throw SettingsError(
        .unavailable, "the settings cannot be read", file: path, cause: error)
    }
  }

  /// Opens the files for writing, as soon as all that they hold can be known.
  ///
  /// Somebody who writes the property list in place, or puts it away for a moment, is soon done; if
  /// not, a process that has it open writes it anew about a second later.
  private func open() throws(FileError) {
    try fileSystem.createFolders(folder)
    var attempts = isAutomatic ? 250 : 1
    while true {
      do throws(FileError) {
        return try openOnce()
      } catch {
        // No coordinator stays open: those who wait are none to wait for.
        writer.withLock { $0 = Writer(access: .readOnly) }
        attempts -= 1
        if error.code != .resourceBusy || attempts == 0 { throw error }
        usleep(20_000)
      }
    }
  }

  /// Opens for writing what could only be read before: a disk that was full may have room by now.
  ///
  /// - Returns: The names whose values others changed meanwhile.
  func reopen(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    // Beside what is there, so that who reads meanwhile sees all of the old or all of the new.
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: .readOnly, isAutomatic: false, report: report)
    try new.open()
    if isAutomatic {
      try new.writer.withLock { $0.coordinator }?.onDoorbell { [self] in hearOthers() }
      if writer.watch == nil {
        writer.watch = try fileSystem.watch(folder: folder) { [self] in hearEdit() }
      }
      SettingsFiles.closeAtExit(self)
    }
    new.writer.withLock { new in
      swap(&new, &writer)
      swap(&new.watch, &writer.watch)
      // What the attempt before left may not survive a power cut: all is written anew first.
      writer.poison = new.refusal
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

  private func openOnce() throws(FileError) {
    let coordinator = try fileSystem.coordinator(at: lockPath)
    try writer.withLock { (writer) throws(FileError) in
      contents.withLock { $0 = SettingsContents() }
      try coordinator.lock()
      defer { coordinator.unlock() }
      // Its lock is that of files which are gone, and others take their names.
      if coordinator.position == .removed { throw beingWritten(lockPath) }
      try fileSystem.removeLeftovers(of: [path, journalPath], in: folder)

      writer.lockIdentity = try fileSystem.information(at: lockPath)?.identity
      let isSound = try readBase(&writer, isAlone: coordinator.cameAlone)
      writer.access = .readWrite(coordinator)
      let isWhole = try replayJournal(
        &writer, isAlone: coordinator.cameAlone, favoringJournal: !isSound)
      // Written at once, so that what is damaged is met, kept and reported once.
      if !isSound || !isWhole { try writeBase(&writer) }
      publish(&writer)
      if !contents.withLock({ $0.changes.isEmpty }) { scheduleTick(&writer) }
    }
    if isAutomatic {
      try coordinator.onDoorbell { [self] in hearOthers() }
      try watchFolder()
      SettingsFiles.closeAtExit(self)
    }
  }

  /// Reads the property list; of one that is damaged, which is kept under another name, what is
  /// good.
  ///
  /// - Parameter isAlone: Whether nobody knows more than the files say.
  /// - Returns: Whether it was whole.
  private func readBase(_ writer: inout Writer, isAlone: Bool) throws(FileError) -> Bool {
    guard let bytes = try fileSystem.readFile(at: path) else { return true }
    writer.fingerprint = Fingerprint(of: bytes)
    writer.stamp = try fileSystem.information(at: path)
    do throws(PropertyList.ParseError) {
      let base = try PropertyList.dictionary(parsingXML: bytes)
      contents.withLock { $0.base = base }
      return true
    } catch {
      if !isAlone { throw beingWritten(path) }
      let recovery = PropertyList.recover(bytes)
      try keepUnreadable(bytes, [error] + recovery.faults, kept: recovery.value.count)
      contents.withLock { $0.base = recovery.value }
      return false
    }
  }

  /// That a file is missing or half written, while others know what it says.
  private func beingWritten(_ file: FilePath) -> FileError {
    FileError(
      .read, file, .resourceBusy, effect: "those who have it open are yet to write it anew")
  }

  /// Applies what the journal says on top of the property list.
  ///
  /// - Parameters:
  ///   - isAlone: Whether nobody knows more than the files say.
  ///   - favoringJournal: Whether what the journal says of a key always counts, for what the
  ///     property list says may be what is left of it.
  /// - Returns: Whether the journal was whole, as one that is not there is.
  private func replayJournal(
    _ writer: inout Writer, isAlone: Bool, favoringJournal: Bool
  ) throws(FileError) -> Bool {
    var journal: Journal
    do throws(FileError) {
      journal = try Journal(opening: journalPath, in: fileSystem)
    } catch {
      guard error.code == .noSuchFileOrDirectory else { throw error }
      if !isAlone { throw beingWritten(journalPath) }
      try rotate(&writer)
      return true
    }
    var records: [SettingsRecord] = []
    var first: UInt64?
    var unknown = 0
    let reading = try journal.readOn { sequence, payload in
      if first == nil { first = sequence }
      if let record = SettingsRecord(payload) { records.append(record) } else { unknown += 1 }
    }
    let isWhole = !reading.isDamaged && unknown == 0
    if !isWhole { try keepDamaged(journal.file, reading, unknown) }
    if reading.tail != .none { try journal.repairTail() }
    guard let first else {
      try rotate(&writer)
      return isWhole
    }
    writer.generation = first
    writer.journal = consume journal

    let fingerprint = writer.fingerprint
    let isCurrent = contents.withLock { contents in
      let (changes, isCurrent) = records.changes(
        on: contents.base, fingerprint, favoringJournal: favoringJournal)
      contents.changes = changes
      contents.sequence += 1
      return isCurrent
    }
    if !isCurrent {
      if !isAlone && writer.stamp == nil { throw beingWritten(path) }
      try rotate(&writer)
    }
    return isWhole
  }

  /// Reads the property list, and where it has one the journal, of files that are never written here.
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
    let base = recovery?.value ?? [:]
    let changes =
      try writer.refusal != nil
      ? readJournal().changes(
        on: base, Fingerprint(of: bytes), favoringJournal: recovery?.faults.isEmpty == false
      ).changes
      : NameTable()
    return contents.withLock { contents in
      let before = contents.merged
      contents.base = base
      contents.changes = changes
      contents.sequence += 1
      return before.namesThatDiffer(from: contents.merged)
    }
  }

  /// All records of the journal that is there.
  func readJournal() throws(FileError) -> [SettingsRecord] {
    var records: [SettingsRecord] = []
    do throws(FileError) {
      var journal = try Journal(opening: journalPath, .read, in: fileSystem)
      _ = try journal.readOn { _, payload in
        if let record = SettingsRecord(payload) { records.append(record) }
      }
    } catch {
      if error.code != .noSuchFileOrDirectory { throw error }
    }
    return records
  }

  private func watchFolder() throws(FileError) {
    let watch = try fileSystem.watch(folder: folder) { [self] in
      hearEdit()
    }
    writer.withLock { $0.watch = watch }
  }
}
