import KeepsakeCoding

/// The values of one settings file in layers: a property list, what was saved to it since, the
/// journals that ended since, and the journal that is being written, with the rules by which its
/// records count.
///
/// Kept apart, a change costs the same however many values there are, and a property list can be
/// written from the lower layers while the last one changes.
struct SettingsContents {
  /// A value that the current journal changed.
  struct Change {
    /// The value; `nil` where the key was removed.
    var value: PropertyList.Value?
    /// Where the record is that changed it last.
    var offset: Int64
  }

  /// What the property list held when it was last made a table.
  private var table: ValueTable
  /// What the property list holds otherwise.
  private var saved = NameTable<Change>()
  /// What the last property lists held of the keys that changed in each, `.some(nil)` where they had
  /// none: an editor that read one of them may still save it.
  private var replaced: [[String: PropertyList.Value?]] = []
  /// What journals that ended changed since.
  private(set) var ended = NameTable<Change>()
  /// What the current journal changed.
  private(set) var changes = NameTable<Change>()
  /// Grows with each change: of two reads of a value, the one with the higher number is the later.
  var sequence: UInt64

  /// Where the last bytes begin that cannot be read and are followed by a record.
  private var gap: Int64 = -1
  /// Keys of records that did not count because of a gap, and where the last such record is: others
  /// may have counted it before the gap came.
  private var uncertain: [SettingsName: Int64] = [:]

  /// - Parameter table: What the property list holds.
  init(_ table: ValueTable = .empty, sequence: UInt64 = 0) {
    self.table = table
    self.sequence = sequence
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

  /// All values there are.
  ///
  /// - Complexity: O(*n* log *n*).
  var merged: [String: PropertyList.Value] { merged(saved, ended, changes) }

  /// All values there were when the current journal began.
  ///
  /// - Complexity: O(*n* log *n*).
  var mergedAtStart: [String: PropertyList.Value] { merged(saved, ended) }

  private func merged(_ layers: NameTable<Change>...) -> [String: PropertyList.Value] {
    var all: [String: PropertyList.Value] = [:]
    all.reserveCapacity(table.count)
    for (key, value) in table { all[key] = value }
    for layer in layers { layer.forEach { name, change in all[name.string] = change.value } }
    return all
  }

  /// All values there were when the current journal began, in the order of a property list.
  var sortedAtStart: MergedEntries {
    var changes: [String: PropertyList.Value?] = [:]
    for layer in [saved, ended] {
      layer.forEach { name, change in changes[name.string] = .some(change.value) }
    }
    return MergedEntries(table, changes)
  }

  /// What journals changed that no property list holds, as far as is known.
  var unsaved: [SettingsName: PropertyList.Value?] {
    var unsaved: [SettingsName: PropertyList.Value?] = [:]
    ended.forEach { name, change in unsaved[name] = .some(change.value) }
    changes.forEach { name, change in unsaved[name] = .some(change.value) }
    return unsaved
  }

  /// The digest of a key's value when the journal began, for the first change of the key since.
  func firstDigest(of name: SettingsName) -> UInt32? {
    changes.contains(name) ? nil : BinaryValue.digest(of: atStart(of: name))
  }

  /// Whether a value of a key is one that the key has, or lately had.
  func knows(_ value: PropertyList.Value?, of name: SettingsName) -> Bool {
    if value == self[name] || value == atStart(of: name) || value == inPropertyList(name) {
      return true
    }
    return replaced.contains { $0[name.string].map { $0 == value } ?? false }
  }

  // MARK: Records

  /// Makes a change that counts.
  mutating func change(_ name: SettingsName, to value: PropertyList.Value?, at offset: Int64) {
    changes.set(Change(value: value, offset: offset), for: name)
  }

  /// Notes bytes that cannot be read and are followed by a record.
  mutating func noteGap(at offset: Int64) { gap = offset }

  /// Makes the changes of the journal's next record, if they count.
  ///
  /// - Parameters:
  ///   - offset: Where the record is.
  ///   - generation: The journal's number.
  /// - Returns: Whether they count.
  mutating func apply(_ record: SettingsRecord, at offset: Int64, in generation: UInt64) -> Bool {
    // The blocks of a file that grew before its bytes reached the disk may hold an older journal's.
    if record.generation != generation { return false }
    var counts = true
    // After a power cut the gap may have been the journal's end, or a change of the same keys.
    var isUncertain = gap >= record.offset
    if record.kind == .transaction {
      for change in record.changes {
        if let last = changes[change.name], last.offset >= record.offset {
          counts = false
        }
        if let last = uncertain[change.name], last >= record.offset { isUncertain = true }
      }
    }
    if counts && !isUncertain {
      for change in record.changes where !change.isReadOnly {
        self.change(change.name, to: change.value, at: offset)
      }
      return true
    }
    if isUncertain {
      for change in record.changes where !change.isReadOnly { uncertain[change.name] = offset }
    }
    return false
  }

  // MARK: Journals

  /// Begins the next journal.
  ///
  /// - Complexity: O(1), unless the one before it is in no property list yet.
  mutating func beginJournal() {
    if !ended.isEmpty { fold() }
    ended = changes
    changes = NameTable()
    gap = -1
    uncertain = [:]
  }

  /// Takes the place of values that were known before, and remembers those that are others now.
  ///
  /// - Complexity: O(*n*).
  mutating func replace(_ old: SettingsContents) {
    replaced = old.replaced
    let new = merged(saved)
    for values in [old.merged(old.saved), old.mergedAtStart, old.merged] {
      var before: [String: PropertyList.Value?] = [:]
      for name in values.namesThatDiffer(from: new) {
        before[name.string] = .some(values[name.string])
      }
      remember(before)
    }
    sequence = old.sequence + 1
  }

  private mutating func remember(_ values: [String: PropertyList.Value?]) {
    replaced.append(values)
    if replaced.count > 8 { replaced.removeFirst() }
  }

  /// Makes what ended journals changed part of the property list's values.
  ///
  /// - Parameter table: All values of the property list, where somebody has made a table of them.
  /// - Complexity: O(*m*) in the changes of the journals that ended.
  mutating func fold(into table: ValueTable? = nil) {
    var before: [String: PropertyList.Value?] = [:]
    ended.forEach { name, _ in before[name.string] = .some(inPropertyList(name)) }
    if !ended.isEmpty { remember(before) }
    if let table {
      self.table = table
      saved = NameTable()
    } else {
      ended.forEach { name, change in saved.set(change, for: name) }
    }
    ended = NameTable()
  }

  /// Whether so much was saved since the table was made that a new one is worth its time.
  var isTableOld: Bool { saved.count + ended.count > 16 + table.count / 4 }

  /// Takes over the layers below the current journal.
  mutating func takeStart(of other: SettingsContents) {
    table = other.table
    saved = other.saved
    ended = other.ended
    replaced = other.replaced
  }
}
