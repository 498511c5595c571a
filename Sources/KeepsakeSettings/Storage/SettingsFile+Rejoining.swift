import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// What a process does when a file that it has open is no longer the one of that name.
extension SettingsFile {
  /// Goes on with the journal that took the place of the one that was read to its end.
  func changeJournal(
    _ writer: inout Writer, isThere: Bool
  ) throws(FileError) -> [SettingsName] {
    let old = writer.journal?.sequence ?? 0
    guard isThere else {
      // Somebody removed it; everything it held is known here.
      try rotate(&writer, after: old)
      return []
    }
    let new = try NewJournal(opening: journalPath, in: fileSystem)
    if new.first == old + 1, let record = new.records.first, record.isFold {
      writer.fingerprint = record.base ?? Fingerprint(of: nil)
      contents.withLock { $0.fold() }
      let names = apply(new.records)
      new.becomeCurrent(in: &writer)
      return names
    }
    // Whoever began it knew nothing of the old one, for that was removed. The first number of a
    // journal that follows no other is a random one.
    let isStranger = new.first.map { $0 <= old || $0 - old > 1 << 32 } ?? true
    return try rebase(&writer, new, keepingOwn: isStranger, after: old)
  }

  /// Takes the common lock, in the file that has its name now.
  ///
  /// Whoever removed that file parted those who have it open from those who come. What was written
  /// since is brought together again.
  func lockAnew(
    _ writer: inout Writer, _ others: inout [SettingsName]
  ) throws(FileError) -> (any FileCoordinator)? {
    guard let coordinator = writer.coordinator else { return nil }
    if try fileSystem.information(at: lockPath)?.identity == writer.lockIdentity {
      try coordinator.lock()
      return coordinator
    }
    if coordinator.position == .removed {
      abandonFiles(&writer)
      return nil
    }
    let new = try fileSystem.coordinator(at: lockPath)
    writer.lockIdentity = try fileSystem.information(at: lockPath)?.identity
    writer.access = .readWrite(new)
    if isAutomatic {
      try new.onDoorbell { [self] in hearOthers() }
      try? coordinator.onDoorbell(nil)
    }
    try new.lock()
    do throws(FileError) {
      let old = writer.journal?.sequence ?? 0
      if try fileSystem.information(at: journalPath) == nil {
        try rotate(&writer, after: old)
      } else {
        let journal = try NewJournal(opening: journalPath, in: fileSystem)
        others += try rebase(&writer, journal, keepingOwn: true, after: old)
      }
    } catch {
      writer.isUnsure = true
      new.unlock()
      throw error
    }
    return new
  }

  /// Takes the property list and a journal's records in place of all that is known.
  ///
  /// - Parameters:
  ///   - keepsOwn: Whether a change that is known here alone is to be told to the others.
  ///   - old: The number of the last record that was known, below every one to come.
  private func rebase(
    _ writer: inout Writer, _ journal: consuming NewJournal, keepingOwn keepsOwn: Bool,
    after old: UInt64
  ) throws(FileError) -> [SettingsName] {
    let records = journal.records
    let bytes = try fileSystem.readFile(at: path)
    let before = contents.withLock { $0 }
    let known = before.merged
    var new = SettingsContents()
    new.sequence = before.sequence + 1
    var isCurrent = true
    if let bytes, let base = try? PropertyList.dictionary(parsingXML: bytes) {
      writer.fingerprint = Fingerprint(of: bytes)
      new.base = base
      (new.changes, isCurrent) = records.changes(on: base, writer.fingerprint)
    } else {
      // Somebody is in the midst of writing it, or has removed or damaged it: what is known stays.
      writer.fingerprint = records.lazy.compactMap(\.base).first ?? Fingerprint(of: nil)
      new.base = known
      new.changes = records.changes(on: known, writer.fingerprint, favoringJournal: true).changes
    }
    if keepsOwn {
      before.changes.forEach { name, value in
        if !new.changes.contains(name) { new.changes.set(value, for: name) }
      }
    }
    contents.withLock { $0 = new }
    journal.becomeCurrent(in: &writer)
    if keepsOwn || !isCurrent {
      do throws(FileError) {
        try rotate(&writer, after: old)
      } catch {
        // What is known here alone is in no file: all is written before anything else is.
        writer.poison = error
        throw error
      }
    }
    return known.namesThatDiffer(from: new.merged)
  }

  /// A journal that took another's place, read to its end.
  private struct NewJournal: ~Copyable {
    let journal: Journal
    let first: UInt64?
    let records: [SettingsRecord]

    init(opening path: FilePath, in fileSystem: any FileSystem) throws(FileError) {
      var journal = try Journal(opening: path, in: fileSystem)
      var first: UInt64?
      var records: [SettingsRecord] = []
      let reading = try journal.readOn { sequence, payload in
        if first == nil { first = sequence }
        if let record = SettingsRecord(payload) { records.append(record) }
      }
      if reading.tail != .none { try journal.repairTail() }
      self.journal = journal
      self.first = first
      self.records = records
    }

    /// Makes this the journal that is written; once nothing that can fail is left to do.
    consuming func becomeCurrent(in writer: inout Writer) {
      writer.generation = first ?? 0
      writer.stamp = nil
      let journal = self.journal
      writer.journal = consume journal
    }
  }
}
