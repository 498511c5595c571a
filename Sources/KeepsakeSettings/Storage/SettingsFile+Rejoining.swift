import KeepsakeCoding
import KeepsakeFiles
import Synchronization
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
    let (first, records) = try takeUpJournal(&writer)
    if let first, first == old + 1, let record = records.first, record.isFold {
      writer.fingerprint = record.base ?? Fingerprint(of: nil)
      contents.withLock { $0.fold() }
      return apply(records)
    }
    // Whoever began it knew nothing of the old one, for that was removed. The first number of a
    // journal that follows no other is a random one.
    let isStranger = first.map { $0 <= old || $0 - old > 1 << 32 } ?? true
    return try rebase(&writer, records, keepingOwn: isStranger, after: old)
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
        let (_, records) = try takeUpJournal(&writer)
        others += try rebase(&writer, records, keepingOwn: true, after: old)
      }
    } catch {
      writer.isUnsure = true
      new.unlock()
      throw error
    }
    return new
  }

  /// Opens the journal that is there now, and reads it from its beginning.
  private func takeUpJournal(
    _ writer: inout Writer
  ) throws(FileError) -> (first: UInt64?, records: [SettingsRecord]) {
    var new = try Journal(opening: journalPath, in: fileSystem)
    var first: UInt64?
    var records: [SettingsRecord] = []
    let reading = try new.readOn { sequence, payload in
      if first == nil { first = sequence }
      if let record = SettingsRecord(payload) { records.append(record) }
    }
    if reading.tail != .none { try new.repairTail() }
    writer.journal = consume new
    writer.generation = first ?? 0
    writer.stamp = nil
    return (first, records)
  }

  /// Takes the property list and a journal's records in place of all that is known.
  ///
  /// - Parameters:
  ///   - keepsOwn: Whether a change that is known here alone is to be told to the others.
  ///   - old: The number of the last record that was known, below every one to come.
  private func rebase(
    _ writer: inout Writer, _ records: [SettingsRecord], keepingOwn keepsOwn: Bool,
    after old: UInt64
  ) throws(FileError) -> [SettingsName] {
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
    if keepsOwn || !isCurrent { try rotate(&writer, after: old) }
    return known.namesThatDiffer(from: new.merged)
  }
}
