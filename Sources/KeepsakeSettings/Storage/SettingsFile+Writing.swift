import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension SettingsFile {
  typealias Change = (name: SettingsName, value: PropertyList.Value?)

  /// Changes one value; `nil` removes it.
  ///
  /// - Returns: The number of the change.
  @discardableResult
  func write(
    _ value: PropertyList.Value?, for name: SettingsName
  ) throws(SettingsError) -> UInt64 {
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { tell(others) }
    return try writer.withLock { (writer) throws(SettingsError) -> UInt64 in
      let coordinator = try begin(&writer, &others)
      defer { coordinator?.unlock() }
      return try append(&writer) { bytes in
        SettingsRecord.write(value, of: name.string, before: firstDigest(of: name), into: &bytes)
      } apply: { contents in
        contents.changes.set(value, for: name)
      }
    }
  }

  /// Changes values by a body that sees all of them as they are, with no other writer in between.
  ///
  /// - Parameter body: Gives the changes; what it throws leaves everything as it was.
  /// - Returns: The names of what was changed, and the body's result.
  func transact<Result>(
    _ body: () throws -> ([Change], Result)
  ) throws -> (names: [SettingsName], result: Result) {
    try checkNotInTransaction()
    var others: [SettingsName] = []
    defer { tell(others) }
    return try writer.withLock { writer in
      let coordinator = try begin(&writer, &others)
      defer { coordinator?.unlock() }
      setInTransaction(true)
      defer { setInTransaction(false) }
      let (changes, result) = try body()
      if changes.isEmpty { return ([], result) }
      try append(&writer) { bytes in
        for (name, value) in changes {
          SettingsRecord.write(value, of: name.string, before: firstDigest(of: name), into: &bytes)
        }
      } apply: { contents in
        for (name, value) in changes { contents.changes.set(value, for: name) }
      }
      return (changes.map(\.name), result)
    }
  }

  /// Takes the common lock and everything that others wrote.
  private func begin(
    _ writer: inout Writer, _ others: inout [SettingsName]
  ) throws(SettingsError) -> (any FileCoordinator)? {
    others += try makeWritable(&writer)
    switch writer.access {
    case .memory: return nil
    case .unavailable(let error): throw error
    case .readOnly:
      throw SettingsError(.notWritten, "these settings can only be read", file: path)
    case .readWrite(let coordinator):
      do throws(FileError) {
        try coordinator.lock()
      } catch { throw notWritten(error) }
      do throws(FileError) {
        others += try catchUp(&writer)
        if writer.poison != nil { try checkpoint(&writer, &others) }
      } catch {
        coordinator.unlock()
        throw notWritten(error)
      }
      return coordinator
    }
  }

  /// Tries again what failed when the files were opened, where it may succeed now.
  ///
  /// - Returns: The names whose values others changed meanwhile.
  func makeWritable(_ writer: inout Writer) throws(SettingsError) -> [SettingsName] {
    guard case .readOnly = writer.access, writer.refusal != nil, !writer.isClosed else { return [] }
    do throws(FileError) {
      return try reopen(&writer)
    } catch { throw notWritten(error) }
  }

  /// Appends one record, and makes its changes.
  ///
  /// - Returns: The number of the change.
  @discardableResult
  private func append(
    _ writer: inout Writer, record: (inout ByteBuffer) -> Void,
    apply: (inout SettingsContents) -> Void
  ) throws(SettingsError) -> UInt64 {
    do throws(FileError) {
      try writer.journal?.append { bytes in
        SettingsRecord.write(base: nil, into: &bytes)
        record(&bytes)
      }
      publish(&writer)
    } catch {
      do throws(FileError) {
        try writer.journal?.repairTail()
      } catch {
        writer.isUnsure = true
        writer.coordinator?.publish(nil)
      }
      throw notWritten(error)
    }
    let sequence = contents.withLock { contents in
      apply(&contents)
      contents.sequence += 1
      return contents.sequence
    }
    scheduleTick(&writer)
    return sequence
  }

  /// The digest of a key's value in the property list, before the first change since.
  private func firstDigest(of name: SettingsName) -> UInt32? {
    contents.withLock { contents in
      contents.changes.contains(name) ? nil : BinaryValue.digest(of: contents.base[name.string])
    }
  }

  func notWritten(_ error: FileError) -> SettingsError {
    SettingsError(.notWritten, "the change was not made", file: path, cause: error)
  }

  // MARK: Others

  /// Takes in what others wrote; called with the common lock held.
  ///
  /// - Returns: The keys they changed.
  func catchUp(_ writer: inout Writer) throws(FileError) -> [SettingsName] {
    guard let coordinator = writer.coordinator else { return [] }
    if let position = coordinator.position {
      if writer.isSame(position) { return try readOn(&writer, upTo: position.end) }
      if position == .removed {
        abandonFiles(&writer)
        return []
      }
    }
    var keys = try readOn(&writer, upTo: nil, repairing: true)
    let current = try fileSystem.information(at: journalPath)
    if try current?.identity != writer.journal?.file.information().identity {
      keys += try changeJournal(&writer, isThere: current != nil)
    }
    writer.isUnsure = false
    publish(&writer)
    return keys
  }

  /// Takes in what others wrote as far as the doorbell's position says, where that needs no lock.
  func hearOthers() {
    var keys: [SettingsName] = []
    do throws(FileError) {
      keys = try writer.withLock { (writer) throws(FileError) in
        guard let coordinator = writer.coordinator else { return [] }
        coordinator.armDoorbell()
        let keys: [SettingsName]
        if let position = coordinator.position, writer.isSame(position) {
          // Whole records lie before the position, so that the lock is not needed.
          keys = try readOn(&writer, upTo: position.end)
        } else {
          try coordinator.lock()
          defer { coordinator.unlock() }
          keys = try catchUp(&writer)
        }
        if !keys.isEmpty { scheduleTick(&writer) }
        return keys
      }
    } catch {
      report(
        SettingsError(
          .unavailable, "another process's changes cannot be read", file: path, cause: error))
    }
    stopListeningIfRemoved()
    tell(keys)
  }

  /// Applies the records that follow, up to an offset or to the journal's end.
  func readOn(
    _ writer: inout Writer, upTo limit: Int64?, repairing: Bool = false
  ) throws(FileError) -> [SettingsName] {
    guard let file = writer.journal?.file, limit != writer.journal?.end else { return [] }
    var records: [SettingsRecord] = []
    var unknown = 0
    let reading = try writer.journal?.readOn(upTo: limit) { _, payload in
      if let record = SettingsRecord(payload) { records.append(record) } else { unknown += 1 }
    }
    if let reading, reading.isDamaged || unknown > 0 {
      try keepDamaged(file, reading, unknown)
    }
    if repairing, let reading, reading.tail != .none { try writer.journal?.repairTail() }
    return apply(records)
  }

  /// Makes the changes of some records, and gives their keys.
  func apply(_ records: some Sequence<SettingsRecord>) -> [SettingsName] {
    var keys: [SettingsName] = []
    contents.withLock { contents in
      for change in records.lazy.flatMap(\.changes) {
        let name = SettingsName(change.key)
        contents.changes.set(change.value, for: name)
        keys.append(name)
      }
      if !keys.isEmpty { contents.sequence += 1 }
    }
    return keys
  }

  /// Tells the other processes how far the journal has come.
  func publish(_ writer: inout Writer) {
    guard let end = writer.journal?.end else { return }
    writer.coordinator?.publish(SharedPosition(generation: writer.generation, end: end))
  }
}

extension SharedPosition {
  /// What tells those who have files open that they were removed for good: no journal's number is
  /// as high.
  static let removed = SharedPosition(generation: .max, end: 0)
}

extension SettingsFile.Writer {
  /// Whether a position speaks of the journal that is open here.
  fileprivate func isSame(_ position: SharedPosition) -> Bool {
    !isUnsure && position.generation == generation
  }
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
