import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension SettingsFile {
  typealias Change = (key: String, value: PropertyList.Value?)

  /// Changes values in one step: all of them or none.
  ///
  /// - Returns: The number of the change.
  @discardableResult
  func write(_ changes: some Collection<Change>) throws(SettingsError) -> UInt64 {
    var others: [String] = []
    defer { tell(others) }
    return try writer.withLock { (writer) throws(SettingsError) -> UInt64 in
      let coordinator = try begin(&writer, &others)
      defer { coordinator?.unlock() }
      return try append(changes, &writer)
    }
  }

  /// Changes values by a body that sees all of them as they are, with no other writer in between.
  ///
  /// - Parameter body: Gives the changes; what it throws leaves everything as it was.
  func transact<Result, Failure: Error>(
    _ body: (borrowing SettingsContents) throws(Failure) -> ([Change], Result),
    onError convert: (SettingsError) -> Failure
  ) throws(Failure) -> (sequence: UInt64, keys: [String], result: Result) {
    var others: [String] = []
    defer { tell(others) }
    return try writer.withLock { (writer) throws(Failure) in
      let coordinator: (any FileCoordinator)?
      do throws(SettingsError) {
        coordinator = try begin(&writer, &others)
      } catch { throw convert(error) }
      defer { coordinator?.unlock() }
      let (changes, result) = try body(contents.withLock { $0 })
      do throws(SettingsError) {
        let sequence = changes.isEmpty ? 0 : try append(changes, &writer)
        return (sequence, changes.map(\.key), result)
      } catch { throw convert(error) }
    }
  }

  /// Takes the common lock and everything that others wrote.
  private func begin(
    _ writer: inout Writer, _ others: inout [String]
  ) throws(SettingsError) -> (any FileCoordinator)? {
    switch writer.access {
    case .memory: return nil
    case .unavailable(let error): throw error
    case .readOnly:
      throw SettingsError(.notWritten, "these settings can only be read", file: path)
    case .readWrite(let coordinator, _):
      do throws(FileError) {
        try coordinator.lock()
      } catch { throw notWritten(error) }
      do throws(FileError) {
        others = try catchUp(&writer)
        if writer.poison != nil { try checkpoint(&writer, &others) }
      } catch {
        coordinator.unlock()
        throw notWritten(error)
      }
      return coordinator
    }
  }

  private func append(
    _ changes: some Collection<Change>, _ writer: inout Writer
  ) throws(SettingsError) -> UInt64 {
    if case .readWrite(let coordinator, var journal) = writer.access {
      // The journal has one owner, so that its buffer is written in place.
      writer.access = .memory
      defer { writer.access = .readWrite(coordinator, journal) }
      do throws(FileError) {
        try journal.append { bytes in
          SettingsRecord.write(base: nil, into: &bytes)
          for change in changes {
            SettingsRecord.write(
              change.value, forKey: change.key, before: firstDigest(of: change.key), into: &bytes)
          }
        }
      } catch {
        do throws(FileError) {
          try journal.repairTail()
        } catch {
          writer.isUnsure = true
          coordinator.publish(nil)
        }
        throw notWritten(error)
      }
      coordinator.publish(SharedPosition(generation: writer.generation, end: journal.end))
    }
    let sequence = contents.withLock { contents in
      for change in changes { contents.changes[change.key] = .some(change.value) }
      contents.sequence += 1
      return contents.sequence
    }
    scheduleTick(&writer)
    return sequence
  }

  /// The digest of a key's value in the property list, before the first change since.
  private func firstDigest(of key: String) -> UInt32? {
    contents.withLock { contents in
      contents.changes.index(forKey: key) == nil
        ? BinaryValue.digest(of: contents.base[key]) : nil
    }
  }

  func notWritten(_ error: FileError) -> SettingsError {
    SettingsError(.notWritten, "the change was not made", file: path, cause: error)
  }

  // MARK: Others

  /// Takes in what others wrote; called with the common lock held.
  ///
  /// - Returns: The keys they changed.
  func catchUp(_ writer: inout Writer) throws(FileError) -> [String] {
    guard case .readWrite(let coordinator, var journal) = writer.access else { return [] }
    if !writer.isUnsure, let position = coordinator.position,
      position.generation == writer.generation
    {
      if position.end == journal.end { return [] }
      defer { writer.access = .readWrite(coordinator, journal) }
      return try readOn(&journal, upTo: position.end)
    }
    var keys = try readOn(&journal, upTo: nil, repairing: true)
    writer.access = .readWrite(coordinator, journal)
    let current = try fileSystem.information(at: journalPath)
    if try current?.identity != journal.file.information().identity {
      keys += try changeJournal(&writer, isThere: current != nil)
    }
    writer.isUnsure = false
    publish(writer)
    return keys
  }

  /// Takes in what others wrote as far as the doorbell's position says, where that needs no lock.
  func hearOthers() {
    var keys: [String] = []
    do throws(FileError) {
      keys = try writer.withLock { (writer) throws(FileError) in
        guard case .readWrite(let coordinator, var journal) = writer.access else { return [] }
        coordinator.armDoorbell()
        if !writer.isUnsure, let position = coordinator.position,
          position.generation == writer.generation
        {
          defer { writer.access = .readWrite(coordinator, journal) }
          let keys = try readOn(&journal, upTo: position.end)
          if !keys.isEmpty { scheduleTick(&writer) }
          return keys
        }
        try coordinator.lock()
        defer { coordinator.unlock() }
        let keys = try catchUp(&writer)
        if !keys.isEmpty { scheduleTick(&writer) }
        return keys
      }
    } catch {
      report(
        SettingsError(
          .unavailable, "another process's changes cannot be read", file: path, cause: error))
    }
    tell(keys)
  }

  /// Applies the records that follow, up to an offset or to the journal's end.
  func readOn(
    _ journal: inout Journal, upTo limit: Int64?, repairing: Bool = false
  ) throws(FileError) -> [String] {
    var records: [SettingsRecord] = []
    var unknown = 0
    let reading = try journal.readOn(upTo: limit) { _, payload in
      if let record = SettingsRecord(payload) { records.append(record) } else { unknown += 1 }
    }
    if !reading.damage.isEmpty || unknown > 0 { try keepDamaged(journal, reading, unknown) }
    if reading.endsTorn && repairing { try journal.repairTail() }
    var keys: [String] = []
    contents.withLock { contents in
      for change in records.lazy.flatMap(\.changes) {
        contents.changes[change.key] = .some(change.value)
        keys.append(change.key)
      }
      if !keys.isEmpty { contents.sequence += 1 }
    }
    return keys
  }

  /// Goes on with the journal that took the place of the one that was read to its end.
  private func changeJournal(
    _ writer: inout Writer, isThere: Bool
  ) throws(FileError) -> [String] {
    guard case .readWrite(let coordinator, let old) = writer.access else { return [] }
    guard isThere else {
      // Somebody removed it; everything it held is known here.
      try rotate(&writer)
      return []
    }
    var new = try Journal(opening: journalPath, in: fileSystem)
    var first: (sequence: UInt64, record: SettingsRecord?)?
    var records: [SettingsRecord] = []
    let reading = try new.readOn { sequence, payload in
      let record = SettingsRecord(payload)
      if first == nil { first = (sequence, record) }
      if let record { records.append(record) }
    }
    if reading.endsTorn { try new.repairTail() }
    writer.access = .readWrite(coordinator, new)
    writer.generation = first?.sequence ?? 0
    writer.fingerprint = first?.record?.base ?? Fingerprint(of: nil)
    writer.stamp = nil
    var keys: [String] = []
    if first?.sequence != old.sequence + 1 {
      // More than one journal came and went: what they held is in the property list.
      keys = try reloadBase(&writer)
    } else {
      contents.withLock { $0.fold() }
    }
    contents.withLock { contents in
      for change in records.lazy.flatMap(\.changes) {
        contents.changes[change.key] = .some(change.value)
        keys.append(change.key)
      }
      contents.sequence += 1
    }
    return keys
  }

  /// Reads the property list anew in place of all that is known.
  private func reloadBase(_ writer: inout Writer) throws(FileError) -> [String] {
    let bytes = try fileSystem.readFile(at: path)
    let base = bytes.map { PropertyList.recover($0).value } ?? [:]
    return contents.withLock { contents in
      let before = contents.merged
      contents.base = base
      contents.changes = [:]
      return Set(before.keys).union(base.keys).filter { before[$0] != base[$0] }
    }
  }

  func publish(_ writer: borrowing Writer) {
    guard case .readWrite(let coordinator, let journal) = writer.access else { return }
    coordinator.publish(SharedPosition(generation: writer.generation, end: journal.end))
  }
}
