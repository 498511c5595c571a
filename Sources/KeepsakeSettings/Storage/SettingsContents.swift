import KeepsakeCoding

/// The values of one settings file in layers: a table of the property list, the changes saved to it
/// since, the changes of ended journals, and those of the current journal. It decides which records
/// count.
///
/// With separate layers, the cost of a change does not depend on the number of values, and a
/// property list can be written from the lower layers while the last one changes.
struct SettingsContents {
  /// A value that the current journal changed.
  struct Change {
    /// The value; `nil` if the key was removed.
    var value: PropertyList.Value?
    /// The offset of the last record that changed it.
    var offset: Int64
    /// The type that this process encoded the value from; `nil` if it is unknown.
    var type: ObjectIdentifier?
  }

  /// The values of the property list when its table was last created.
  private var table: ValueTable
  /// The changes saved to the property list since.
  private var saved = NameTable<Change>()
  /// The values that recent property lists replaced, `.some(nil)` for none: an editor that read an
  /// earlier property list may still save it.
  private var replaced: [[SettingsName: PropertyList.Value?]] = []
  /// The changes of journals that ended since.
  private(set) var ended = NameTable<Change>()
  /// The changes of the current journal.
  private(set) var changes = NameTable<Change>()
  /// Increases with each change: a read with a higher number is later.
  var sequence: UInt64
  /// The number of the current journal.
  var generation: UInt64 = 1
  /// What other machines have; `nil` if none share the values.
  private(set) var log: SyncLog?
  /// The log when the current journal began.
  private(set) var logAtStart: SyncLog?
  /// Whether the log was changed since, and whether the property list has it as it was then.
  private var isLogChanged = false
  private var isLogSaved = true

  /// Whether the log knows the origin of changes that follow: a journal that is missing may have begun another one.
  private(set) var isOriginKnown = true
  /// Whether the journals say that one of them, or the end of one, was found to be missing.
  private(set) var isLossNoted = true

  /// The offset of the last unreadable bytes that a record follows.
  private var gap: Int64 = -1
  /// The keys of records that did not count because of a gap, with the offset of the last such
  /// record: other processes may have counted it before the gap appeared.
  private var uncertain: [SettingsName: Int64] = [:]

  /// - Parameters:
  ///   - table: The values of the property list.
  ///   - log: Its log.
  init(_ table: ValueTable = .empty, log: SyncLog? = nil, sequence: UInt64 = 0) {
    self.table = table
    self.log = log
    logAtStart = log
    self.sequence = sequence
  }

  /// Creates contents that no file contains.
  init(_ values: [SettingsName: PropertyList.Value]) {
    self.init()
    for (name, value) in values { change(name, to: value, at: 0) }
  }

  subscript(name: SettingsName) -> PropertyList.Value? {
    if let change = changes[name] { return change.value }
    return atStart(of: name)
  }

  /// The value of a name when the current journal began.
  private func atStart(of name: SettingsName) -> PropertyList.Value? {
    if let change = ended[name] { return change.value }
    return inPropertyList(name)
  }

  /// The value of a name in the property list.
  private func inPropertyList(_ name: SettingsName) -> PropertyList.Value? {
    if let change = saved[name] { return change.value }
    return table[name]
  }

  /// All values.
  ///
  /// - Complexity: O(*n* log *n*).
  var merged: [SettingsName: PropertyList.Value] { merged(saved, ended, changes) }

  /// All values when the current journal began.
  ///
  /// - Complexity: O(*n* log *n*).
  var mergedAtStart: [SettingsName: PropertyList.Value] { merged(saved, ended) }

  private func merged(_ layers: NameTable<Change>...) -> [SettingsName: PropertyList.Value] {
    var all = table.valuesByName
    for layer in layers { layer.forEach { name, change in all[name] = change.value } }
    return all
  }

  /// Adds the names whose values may differ from those of other contents.
  ///
  /// - Complexity: O(*m*) in the changes since the property list was read, if both contain the same
  ///   one; O(*n*) otherwise.
  func addNames(mayDifferFrom other: SettingsContents, to names: inout Set<SettingsName>) {
    if table !== other.table {
      for table in [table, other.table] {
        for (key, _) in table { names.insert(SettingsName(key)) }
      }
    }
    for layer in [saved, ended, changes, other.saved, other.ended, other.changes] {
      layer.forEach { name, _ in names.insert(name) }
    }
  }

  /// All values when the current journal began, in the order of a property list.
  var sortedAtStart: MergedEntries {
    var changes: [SettingsName: PropertyList.Value?] = [:]
    for layer in [saved, ended] {
      layer.forEach { name, change in changes[name] = .some(change.value) }
    }
    return MergedEntries(table, changes)
  }

  /// The journals' changes that, as far as this process has read, no property list contains.
  var unsaved: [SettingsName: PropertyList.Value?] {
    var unsaved: [SettingsName: PropertyList.Value?] = [:]
    ended.forEach { name, change in unsaved[name] = .some(change.value) }
    changes.forEach { name, change in unsaved[name] = .some(change.value) }
    return unsaved
  }

  /// The changes of the current journal from an offset on.
  func changes(from offset: Int64) -> [SettingsName: PropertyList.Value?] {
    var later: [SettingsName: PropertyList.Value?] = [:]
    changes.forEach { name, change in
      if change.offset >= offset { later[name] = .some(change.value) }
    }
    return later
  }

  /// The digest of a key's value when the journal began; `nil` if the key has changed since.
  func firstDigest(of name: SettingsName) -> UInt32? { beforeChange(of: name, by: nil).digest }

  /// What must be known of a key's value before it is changed.
  ///
  /// - Parameter type: The type of the new value.
  /// - Returns: The digest as of ``firstDigest(of:)``, and whether the type is known to read the
  ///   present value completely.
  @inline(__always)
  func beforeChange(
    of name: SettingsName, by type: ObjectIdentifier?
  ) -> (digest: UInt32?, isKnown: Bool) {
    let isKnown = changes.read(name) { type != nil && $0.type == type || $0.value == nil }
    if let isKnown { return (nil, isKnown) }
    return atStart(of: name, by: type)
  }

  @inline(never)
  private func atStart(
    of name: SettingsName, by type: ObjectIdentifier?
  ) -> (digest: UInt32?, isKnown: Bool) {
    let change = ended[name] ?? saved[name]
    let value = change.map(\.value) ?? table[name]
    return (BinaryValue.digest(of: value), value == nil || type != nil && change?.type == type)
  }

  /// Whether a key has exactly a value.
  func hasValue(_ value: PropertyList.Value, for name: SettingsName) -> Bool {
    self[name].isIdentical(to: value)
  }

  /// Whether a key has a value, or recently had it.
  func knows(_ value: PropertyList.Value?, of name: SettingsName) -> Bool {
    if [self[name], atStart(of: name), inPropertyList(name)].contains(where: value.isIdentical) {
      return true
    }
    return replaced.contains { $0[name].map(value.isIdentical) ?? false }
  }

  // MARK: Records

  /// Applies a change that counts.
  ///
  /// - Parameter index: Its place in the record.
  mutating func change(
    _ name: SettingsName, to value: PropertyList.Value?, at offset: Int64, index: Int = 0,
    by type: ObjectIdentifier? = nil
  ) {
    changes.set(Change(value: value, offset: offset, type: type), for: name)
    // A comparison with nil would copy it.
    if case .some = log { note(name, at: offset, index: index) }
  }

  @inline(never)
  private mutating func note(_ name: SettingsName, at offset: Int64, index: Int) {
    log?.note(name, SyncLog.Number(generation: generation, offset: offset, index: index))
    if !isOriginKnown { log?.doubtChange(of: name) }
    isLogChanged = true
  }

  /// The offset of the last record of what came from other machines: another one that was decided before it does not
  /// count.
  private var lastUpdate: Int64 = -1

  /// Applies what came from other machines and counts.
  mutating func receive(
    _ changes: [(name: SettingsName, value: PropertyList.Value?)], _ update: SyncLog.Update,
    at offset: Int64
  ) {
    for (name, value) in changes {
      self.changes.set(Change(value: value, offset: offset, type: nil), for: name)
    }
    // In place, since a copy of many changes takes long.
    if log == nil { log = SyncLog(origin: "") }
    log?.take(update, at: SyncLog.Number(generation: generation, offset: offset))
    if update.origin != nil || update.log != nil { isOriginKnown = true }
    if update.doubt.isDamaged { isLossNoted = true }
    if !isOriginKnown { for name in update.claims { log?.doubtChange(of: name) } }
    lastUpdate = offset
    isLogChanged = true
  }

  /// Notes that a journal before the current one, or the end of one, is missing.
  mutating func noteMissingJournal() { (isOriginKnown, isLossNoted) = (false, false) }

  /// Sets the offset of the last unreadable bytes that a record follows.
  mutating func noteGap(at offset: Int64) { gap = offset }

  /// Applies the changes of the journal's next record, if they count.
  ///
  /// - Parameters:
  ///   - offset: The record's offset.
  ///   - generation: The journal's generation.
  /// - Returns: Whether they count.
  mutating func apply(_ record: SettingsRecord, at offset: Int64, in generation: UInt64) -> Bool {
    // After a power cut, blocks that were not flushed may contain records of an older journal.
    if record.generation != generation { return false }
    var counts = true
    // After a power cut, the gap may have been an end record or a change of the same keys.
    var isUncertain = gap >= record.offset
    if record.kind == .transaction || record.kind == .received {
      for change in record.changes {
        if let last = changes[change.name], last.offset >= record.offset {
          counts = false
        }
        if let last = uncertain[change.name], last >= record.offset { isUncertain = true }
      }
      if record.kind == .received, lastUpdate >= record.offset { counts = false }
      // A log that replaces all of this one must have what was changed meanwhile.
      if record.update?.log != nil {
        changes.forEach { _, change in if change.offset >= record.offset { counts = false } }
      }
    }
    if counts && !isUncertain {
      let changes = record.changes.lazy.filter { !$0.isReadOnly }
      if let update = record.update {
        receive(changes.map { ($0.name, $0.value) }, update, at: offset)
      } else {
        for (index, change) in changes.enumerated() {
          self.change(change.name, to: change.value, at: offset, index: index)
        }
      }
      return true
    }
    if isUncertain {
      if record.kind == .received { lastUpdate = offset }
      for change in record.changes where !change.isReadOnly { uncertain[change.name] = offset }
    }
    return false
  }

  // MARK: Journals

  /// Begins the next journal.
  ///
  /// - Complexity: O(1), if the property list contains the previous journal.
  mutating func beginJournal() {
    if !ended.isEmpty { fold() }
    ended = changes
    changes = NameTable()
    if isLogChanged {
      logAtStart = log
      isLogSaved = false
      isLogChanged = false
    }
    gap = -1
    lastUpdate = -1
    uncertain = [:]
  }

  /// Replaces earlier contents, and remembers the values that differ from the property list.
  ///
  /// - Complexity: O(*n*).
  mutating func replace(_ old: SettingsContents) {
    replaced = old.replaced
    let new = merged(saved)
    for values in [old.merged(old.saved), old.mergedAtStart, old.merged] {
      var before: [SettingsName: PropertyList.Value?] = [:]
      for name in values.namesThatDiffer(from: new) { before[name] = .some(values[name]) }
      remember(before)
    }
    sequence = old.sequence + 1
  }

  private mutating func remember(_ values: [SettingsName: PropertyList.Value?]) {
    replaced.append(values)
    if replaced.count > 8 { replaced.removeFirst() }
  }

  /// Moves the changes of ended journals to the property list's values.
  ///
  /// - Parameter table: A table of all values of the property list, if one was created.
  /// - Complexity: O(*m*) in the number of changes of ended journals.
  mutating func fold(into table: ValueTable? = nil) {
    var before: [SettingsName: PropertyList.Value?] = [:]
    ended.forEach { name, _ in before[name] = .some(inPropertyList(name)) }
    if !ended.isEmpty { remember(before) }
    if let table {
      self.table = table
      saved = NameTable()
    } else {
      saved.reserve(ended.count)
      ended.forEach { name, change in saved.set(change, for: name) }
    }
    ended = NameTable()
    isLogSaved = true
  }

  /// Whether the property list has all that the journals contain, as far as this process has read.
  var isSaved: Bool { changes.isEmpty && ended.isEmpty && !isLogChanged && isLogSaved }

  /// Whether enough changes were saved since the table was created to justify a new one.
  var isTableOld: Bool { saved.count + ended.count > 16 + table.count / 4 }

  /// Copies the layers below the current journal.
  mutating func copyLowerLayers(of other: SettingsContents) {
    table = other.table
    saved = other.saved
    ended = other.ended
    replaced = other.replaced
    logAtStart = other.logAtStart
    isLogSaved = other.isLogSaved
  }
}
