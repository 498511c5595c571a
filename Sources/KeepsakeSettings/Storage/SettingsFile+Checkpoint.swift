import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension SettingsFile {
  // MARK: The property list

  /// Writes the property list because its owner asks for it, who is told where that cannot be done.
  func save() throws(SettingsError) {
    if let unavailability { throw unavailability }
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { tell(others) }
    others = try writer.withLock { (writer) throws(SettingsError) in try makeWritable(&writer) }
    try checkpoint()
  }

  /// Writes the property list from the journal, if there is anything in it, and begins a new one.
  func checkpoint() throws(SettingsError) {
    var others: [SettingsName] = []
    defer { tell(others) }
    do throws(FileError) {
      try writer.withLock { (writer) throws(FileError) in
        guard let coordinator = try lockAnew(&writer, &others) else { return }
        defer { coordinator.unlock() }
        others += try catchUp(&writer)
        try checkpoint(&writer, &others)
      }
    } catch {
      throw SettingsError(
        .notDurable, "the property list could not be written; the journal keeps the changes",
        file: path, cause: error)
    }
  }

  /// Writes the property list; called with the common lock held, when nothing is left to catch up.
  ///
  /// The order is what a power cut needs: the journal is replaced only after the property list has
  /// taken effect. Between the two, the journal's records say again what the property list says.
  func checkpoint(_ writer: inout Writer, _ others: inout [SettingsName]) throws(FileError) {
    if writer.journal == nil { return }
    writer.isBaseLost = try isBaseGone(writer)
    do throws(ParsingFailure) {
      others += try absorbEdit(&writer)
    } catch {
      switch error {
      case .file(let error): throw error
      case .unreadable(let bytes, let faults):
        try keepUnreadable(bytes, faults)
        writer.isBaseLost = true
      }
    }
    let hasChanges = contents.withLock { !$0.changes.isEmpty }
    if !hasChanges && !writer.isBaseLost && writer.poison == nil { return }
    try writeBase(&writer, isFold: true)
  }

  /// Writes the property list from all values there are, and begins a new journal.
  ///
  /// - Parameter isFold: Whether whoever has read the old journal to its end knows these values.
  func writeBase(_ writer: inout Writer, isFold: Bool = false) throws(FileError) {
    let merged = all
    let bytes = PropertyList.serializeXML(
      sortedEntries: merged.sorted { PropertyList.precedes($0.key, $1.key) }
        .lazy.map { (key: $0.key, value: $0.value) })
    try replacing(&writer) { () throws(FileError) in
      try fileSystem.replaceFile(at: path, with: bytes)
    }
    contents.withLock { contents in
      contents.base = merged
      contents.changes = NameTable()
    }
    writer.fingerprint = Fingerprint(of: bytes)
    // Where it cannot be had, the file is read once more before it counts as edited.
    writer.stamp = (try? fileSystem.information(at: path)) ?? nil
    writer.tickedStamp = writer.stamp
    writer.isBaseLost = false
    try rotate(&writer, isFold: isFold)
    writer.poison = nil
  }

  /// Goes on with a new journal, whose first record holds what the property list does not, in place
  /// of the one that is there.
  ///
  /// - Parameters:
  ///   - isFold: Whether the property list is what the old journal made of the one before.
  ///   - old: A number that the new journal's are to be above.
  func rotate(
    _ writer: inout Writer, isFold: Bool = false, after old: UInt64 = 0
  ) throws(FileError) {
    // Where none was there, no record of one long gone can be taken for one of this.
    let generation = max(writer.journal?.sequence ?? .random(in: 0..<1 << 48), old) + 1
    let contents = contents.withLock { $0 }
    let base = writer.fingerprint
    writer.journal = try replacing(&writer) { () throws(FileError) in
      try Journal(replacing: journalPath, in: fileSystem, sequence: generation) { bytes in
        SettingsRecord.write(base: base, isFold: isFold, into: &bytes)
        contents.changes.forEach { name, value in
          SettingsRecord.write(
            value, of: name.string, before: BinaryValue.digest(of: contents.base[name.string]),
            into: &bytes)
        }
      }
    }
    writer.generation = generation
    publish(&writer)
  }

  /// Replaces one of the files, and remembers where a failure leaves it unknown which is in place.
  private func replacing<Result: ~Copyable>(
    _ writer: inout Writer, _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      writer.isUnsure = true
      writer.coordinator?.publish(nil)
      // The new file is in place, but a power cut may bring back the old.
      if error.operation == .synchronize, error.path == folder { writer.poison = error }
      throw error
    }
  }

  /// Whether there was a property list, and somebody removed it.
  private func isBaseGone(_ writer: borrowing Writer) throws(FileError) -> Bool {
    if writer.fingerprint == Fingerprint(of: nil) { return false }
    return try fileSystem.information(at: path) == nil
  }

  // MARK: Edits by hand

  /// Why the property list on the disk says nothing.
  enum ParsingFailure: Error {
    case file(FileError)
    /// Somebody is in the midst of writing it, or has damaged it.
    case unreadable([UInt8], [PropertyList.ParseError])
  }

  /// Takes over what a person, or another program, changed in the property list itself; called
  /// with the common lock held.
  ///
  /// A value that the journal never knew was edited, and is later than what the journal says of the
  /// same key. A property list that is gone is no edit: it is written again.
  ///
  /// - Returns: The names of what was edited.
  func absorbEdit(_ writer: inout Writer) throws(ParsingFailure) -> [SettingsName] {
    let stamp: FileInformation
    let bytes: [UInt8]
    do throws(FileError) {
      guard let found = try fileSystem.information(at: path), found != writer.stamp,
        let read = try fileSystem.readFile(at: path)
      else { return [] }
      (stamp, bytes) = (found, read)
    } catch { throw .file(error) }
    let fingerprint = Fingerprint(of: bytes)
    if fingerprint == writer.fingerprint {
      writer.stamp = stamp
      return []
    }
    let edited: [String: PropertyList.Value]
    do throws(PropertyList.ParseError) {
      edited = try PropertyList.dictionary(parsingXML: bytes)
    } catch { throw .unreadable(bytes, [error]) }

    let known = all
    var new = SettingsContents()
    new.base = edited
    let names: [SettingsName]
    do throws(FileError) {
      // What another process folded into the property list before it died is no edit: the whole
      // journal is asked.
      new.changes = try readJournal().changes(on: edited, fingerprint).changes
      new.sequence = contents.withLock { $0.sequence } + 1
      names = known.namesThatDiffer(from: new.merged)
      // For the other processes, which know nothing of the file yet.
      if !names.isEmpty {
        try writer.journal?.append { bytes in
          SettingsRecord.write(base: nil, into: &bytes)
          for name in names {
            SettingsRecord.write(new[name], of: name.string, before: nil, into: &bytes)
          }
        }
      }
      contents.withLock { $0 = new }
      writer.fingerprint = fingerprint
      writer.stamp = stamp
      try rotate(&writer)
    } catch { throw .file(error) }
    return names
  }

  /// Looks whether the property list was edited, or a file was removed, as the folder's watch tells.
  func hearEdit() {
    var keys: [SettingsName] = []
    do throws(FileError) {
      try writer.withLock { (writer) throws(FileError) in
        if writer.isClosed { return }
        let found = try fileSystem.information(at: path)
        switch writer.access {
        case .memory, .unavailable: return
        case .readOnly:
          if found != writer.stamp { keys = try reread(&writer) }
        case .readWrite:
          let isJournalGone = try writer.journal?.file.information().linkCount == 0
          let isLockGone =
            try fileSystem.information(at: lockPath)?.identity != writer.lockIdentity
          guard found != writer.stamp || isJournalGone || isLockGone,
            let coordinator = try lockAnew(&writer, &keys)
          else { return }
          defer { coordinator.unlock() }
          // What was removed is no longer spoken of by the position that all share.
          if isJournalGone { writer.isUnsure = true }
          keys += try catchUp(&writer)
          if writer.journal == nil { return }
          writer.isBaseLost = try isBaseGone(writer)
          do throws(ParsingFailure) {
            keys += try absorbEdit(&writer)
          } catch {
            if case .file(let error) = error { throw error }
            writer.isBaseLost = true
          }
          // An editor may be in the midst of writing, and its last write is heard too. What is
          // still lost when all is quiet is written anew, for those who come know nothing of it.
          if writer.isBaseLost { scheduleTick(&writer) }
        }
      }
    } catch {
      report(
        SettingsError(.unavailable, "an edit by hand cannot be read", file: path, cause: error))
    }
    stopListeningIfRemoved()
    tell(keys)
  }

  /// Keeps a property list that cannot be read under another name.
  func keepUnreadable(
    _ bytes: [UInt8], _ faults: [PropertyList.ParseError], kept: Int? = nil
  ) throws(FileError) {
    let aside = try fileSystem.setAside(bytes, of: path, as: "unreadable")
    let values = kept.map { "; \($0) values in it were kept" } ?? "; the values known before stay"
    report(
      SettingsError(
        .damaged,
        "the property list cannot be read: \(faults.first?.description ?? "unknown fault")\(values), and the file is \(aside)",
        file: path, cause: faults.first))
  }

  /// Keeps a copy of a journal that lost records.
  func keepDamaged(
    _ journal: any OpenFile, _ reading: Journal.Reading, _ unknown: Int
  ) throws(FileError) {
    let aside = try fileSystem.setAside(journal.readAll(), of: journalPath, as: "damaged")
    let bytes = reading.damage.reduce(0) { $0 + $1.count }
    let what =
      if reading.end == 0 {
        "the journal holds no whole record"
      } else {
        "\(bytes) bytes of the journal are damaged"
          + (reading.damage.first.map { " (from offset \($0.lowerBound))" } ?? "")
          + (reading.tail == .damaged ? ", and its end is" : "")
          + (unknown > 0 ? ", \(unknown) records are of another version" : "")
      }
    report(
      SettingsError(
        .damaged, "\(what); every other change was kept, and the file is \(aside)",
        file: journalPath))
  }
}
