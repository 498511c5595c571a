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
          let isProtected: [Errno] = [.permissionDenied, .readOnlyFileSystem, .notPermitted]
          guard isProtected.contains(error.code) else { throw error }
          report(
            SettingsError(
              .notWritten, "the settings can be read, but not written", file: path, cause: error))
        }
      }
      _ = try writer.withLock { (writer) throws(FileError) in try reread(&writer) }
      if try fileSystem.information(at: path.removingLastComponent()) != nil { try watchFolder() }
    } catch {
      throw SettingsError(
        .unavailable, "the settings cannot be read", file: path, cause: error)
    }
  }

  private func open() throws(FileError) {
    let folder = path.removingLastComponent()
    try fileSystem.createFolders(folder)
    let coordinator = try fileSystem.coordinator(at: lockPath)
    try writer.withLock { (writer) throws(FileError) in
      try coordinator.lock()
      defer { coordinator.unlock() }
      try fileSystem.removeLeftovers(of: path)
      try fileSystem.removeLeftovers(of: journalPath)

      let bytes = try readBase(&writer)
      if let journal = try replayJournal(&writer, over: Fingerprint(of: bytes)) {
        writer.access = .readWrite(coordinator, journal)
      } else {
        var payload: [UInt8] = []
        SettingsRecord.write(base: writer.fingerprint, into: &payload)
        let journal = try Journal(
          replacing: journalPath, in: fileSystem, first: payload, sequence: 1)
        writer.access = .readWrite(coordinator, journal)
        writer.generation = 1
      }
      publish(writer)
      if !contents.withLock({ $0.changes.isEmpty }) { scheduleTick(&writer) }
    }
    if isAutomatic {
      try coordinator.onDoorbell { [weak self] in self?.hearOthers() }
      try watchFolder()
      SettingsFiles.closeAtExit(self)
    }
  }

  /// Reads the property list; one that is damaged is kept under another name, and what is good in
  /// it is written in its place.
  private func readBase(_ writer: inout Writer) throws(FileError) -> [UInt8]? {
    guard var bytes = try fileSystem.readFile(at: path) else { return nil }
    let base: [String: PropertyList.Value]
    do throws(PropertyList.ParseError) {
      base = try PropertyList.dictionary(parsingXML: bytes)
    } catch {
      let recovery = PropertyList.recover(bytes)
      base = recovery.value
      try keepUnreadable(bytes, [error] + recovery.faults, kept: base.count)
      bytes = PropertyList.serializeXML(
        sortedEntries: base.sorted { PropertyList.precedes($0.key, $1.key) }
          .lazy.map { (key: $0.key, value: $0.value) })
      try fileSystem.replaceFile(at: path, with: bytes)
    }
    contents.withLock { $0.base = base }
    writer.fingerprint = Fingerprint(of: bytes)
    writer.stamp = try fileSystem.information(at: path)
    return bytes
  }

  /// Applies what the journal says on top of the property list.
  ///
  /// Where the property list is the one that the journal builds on, that is every change after the
  /// record that says so. Where it is another one, either the journal's changes are in it already,
  /// or a person edited it while no program ran: a value that the journal never knew was edited, and
  /// counts; of every other key the journal's last value does.
  ///
  /// - Returns: `nil` where there is no journal.
  private func replayJournal(
    _ writer: inout Writer, over fingerprint: Fingerprint
  ) throws(FileError) -> Journal? {
    var journal: Journal
    do throws(FileError) {
      journal = try Journal(opening: journalPath, in: fileSystem)
    } catch {
      if error.code == .noSuchFileOrDirectory { return nil }
      throw error
    }
    var records: [SettingsRecord] = []
    var first: UInt64?
    var unknown = 0
    let reading = try journal.readOn { sequence, payload in
      if first == nil { first = sequence }
      if let record = SettingsRecord(payload) { records.append(record) } else { unknown += 1 }
    }
    if !reading.damage.isEmpty || unknown > 0 { try keepDamaged(journal, reading, unknown) }
    if reading.endsTorn { try journal.repairTail() }
    guard let first else { return nil }
    writer.generation = first

    if let base = records.lastIndex(where: { $0.base == fingerprint }) {
      contents.withLock { contents in
        for change in records[base...].lazy.flatMap(\.changes) {
          contents.changes[change.key] = .some(change.value)
        }
      }
      return journal
    }
    var known: [String: (digests: Set<UInt32>, last: PropertyList.Value?)] = [:]
    for change in records.lazy.flatMap(\.changes) {
      var digests = known[change.key]?.digests ?? []
      if let before = change.before { digests.insert(before) }
      digests.insert(BinaryValue.digest(of: change.value))
      known[change.key] = (digests, change.value)
    }
    contents.withLock { contents in
      for (key, journaled) in known
      where journaled.digests.contains(BinaryValue.digest(of: contents.base[key])) {
        contents.changes[key] = .some(journaled.last)
      }
    }
    var payload: [UInt8] = []
    SettingsRecord.write(base: fingerprint, into: &payload)
    contents.withLock { contents in
      for (key, value) in contents.changes {
        SettingsRecord.write(
          value, forKey: key, before: BinaryValue.digest(of: contents.base[key]), into: &payload)
      }
    }
    journal = try Journal(
      replacing: journalPath, in: fileSystem, first: payload, sequence: journal.sequence + 1)
    writer.generation = journal.sequence
    return journal
  }

  /// Reads the property list of files that are never written here.
  func reread(_ writer: inout Writer) throws(FileError) -> [String] {
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
    return contents.withLock { contents in
      let before = contents.base
      contents.base = base
      contents.sequence += 1
      return Set(before.keys).union(base.keys).filter { before[$0] != base[$0] }
    }
  }

  private func watchFolder() throws(FileError) {
    let watch = try fileSystem.watch(folder: path.removingLastComponent()) { [weak self] in
      self?.hearEdit()
    }
    writer.withLock { $0.watch = watch }
  }
}
