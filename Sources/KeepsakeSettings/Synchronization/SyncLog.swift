import KeepsakeBase

/// What settings that several machines share know of the others, beside the values: how far those have what was
/// changed here, and up to where what they changed is here.
///
/// Every process that has the files open computes it from the same records, so that it has no state of its own.
package struct SyncLog: Hashable, Sendable {
  /// The place of a change in the journals: a later change has a higher one.
  package struct Number: Hashable, Sendable {
    package var generation: UInt64
    package var offset: Int64
    /// The place in its record.
    package var index: Int

    /// Before the number of every change.
    package static let none = Number(generation: 0, offset: 0)

    package init(generation: UInt64, offset: Int64, index: Int = 0) {
      self.generation = generation
      self.offset = offset
      self.index = index
    }
  }

  /// The last change of a value here, which the others do not have as far as is known.
  package struct Change: Hashable, Sendable {
    /// The files that it was made in; a copy of them has another origin, where numbers begin again.
    package var origin: String
    package var number: Number
    /// Whether it counts only where the others have no value: what was here before these were known is no change of
    /// what they have.
    package var isOffer: Bool

    package init(origin: String, number: Number, isOffer: Bool = false) {
      self.origin = origin
      self.number = number
      self.isOffer = isOffer
    }

    fileprivate mutating func note(_ number: Number) { (self.number, isOffer) = (number, false) }
  }

  /// Which others they are; nil before anything came from them.
  package private(set) var cluster: String?
  /// The others' revision that the values contain.
  package private(set) var revision: UInt64
  /// The origin of changes that follow.
  package private(set) var origin: String
  /// The origins before that one which changes still have, in the order in which they began: a change may have replaced
  /// one of any earlier origin.
  package private(set) var earlierOrigins: [String]
  /// The origins that have numbered a change, in the order in which they began, from the last one on of which the others
  /// have something.
  ///
  /// A commit of each may still be under way, also of changes that a power cut has taken back.
  package private(set) var usedOrigins: [String]
  /// The changes by the names of their values.
  package private(set) var changes: [SettingsName: Change]
  /// The last change of each origin that one of a later origin, or of the others, has replaced before they had it.
  ///
  /// It may still be under way to them, as by another process, and must not come after what has replaced it.
  package private(set) var replaced: [String: Number]
  /// Why the values may not be what the rest says, until they were compared with the others'.
  package private(set) var doubt: Doubt?

  /// What may have come between the values and the log.
  package enum Doubt: String, Codable, Sendable {
    /// Somebody edited the property list while no process had it open.
    case edited
    /// Some values could not be read.
    case damaged
    /// Both: what is missing was not removed, and what is there may be an edit.
    case both
  }

  package init(
    cluster: String? = nil, revision: UInt64 = 0, origin: String, earlierOrigins: [String] = [],
    usedOrigins: [String] = [], changes: [SettingsName: Change] = [:],
    replaced: [String: Number] = [:], doubt: Doubt? = nil
  ) {
    self.cluster = cluster
    self.revision = revision
    self.origin = origin
    self.usedOrigins = usedOrigins
    self.changes = changes
    self.replaced = replaced
    self.doubt = doubt
    self.earlierOrigins = []
    let unknown = namedOrigins.subtracting(earlierOrigins + [origin])
    self.earlierOrigins = unknown.sorted() + earlierOrigins
  }

  /// The origins that changes have.
  private var namedOrigins: Set<String> {
    Set(changes.values.map(\.origin)).union(replaced.keys)
  }

  /// A name for the files as they are now, which copies of them do not have once they are opened.
  package static func newOrigin() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in Hexadecimal.text(of: UInt8.random(in: 0 ... .max, using: &generator))
    }
    .joined()
  }

  /// The log of files that replace those of another log: what was changed there is still to be sent.
  ///
  /// - Parameters:
  ///   - origin: That of changes that follow.
  ///   - kept: The values whose changes in these files stay.
  func replacing(
    _ other: SyncLog, origin: String, keeping kept: Set<SettingsName> = []
  ) -> SyncLog {
    var log = self
    log.replaced.merge(other.replaced) { max($0, $1) }
    if log.cluster == nil, other.cluster != nil {
      // They are of a time before the others were known, and lack what came from these.
      (log.cluster, log.revision) = (other.cluster, other.revision)
      log.doubt.add(.both)
      log.offer(Set(log.changes.keys))
    }
    // What the others had sent until then is in neither.
    if log.cluster == other.cluster, log.revision > other.revision {
      log.doubt.add(.damaged)
    }
    for (name, change) in other.changes {
      let found = log.changes[name]
      if kept.contains(name) || change.isOffer && found != nil {
        if found != change { log.noteReplaced(change) }
      } else {
        log.replaceChange(of: name, with: change)
      }
    }
    // What was changed in these files is what those of the other log replace.
    log.earlierOrigins += [log.origin] + other.earlierOrigins + [other.origin]
    log.usedOrigins += other.usedOrigins.filter { !usedOrigins.contains($0) }
    log.begin(origin)
    return log
  }

  /// Begins an origin after the earlier ones.
  private mutating func begin(_ origin: String) {
    let named = namedOrigins
    var known: Set = [origin]
    earlierOrigins = earlierOrigins.filter { named.contains($0) && known.insert($0).inserted }
    self.origin = origin
  }

  /// Has changes count only where the others have no value, and forgets all others.
  mutating func offer(_ names: Set<SettingsName>) {
    changes = changes.filter { names.contains($0.key) }.mapValues { change in
      Change(origin: change.origin, number: change.number, isOffer: true)
    }
  }

  /// Has a change count only where the others have no value: it may be one that they have had since.
  mutating func doubtChange(of name: SettingsName) {
    changes[name]?.isOffer = true
    // What replaces it is not all that is known of it.
    doubt.add(.both)
  }

  /// Forgets changes of values, as of such that could not be read.
  mutating func forgetChanges(where isForgotten: (SettingsName) -> Bool) {
    changes = changes.filter { !isForgotten($0.key) }
  }

  /// Notes that a value was changed here.
  package mutating func note(_ name: SettingsName, _ number: Number) {
    if let index = changes.index(forKey: name), changes.values[index].origin == origin {
      changes.values[index].note(number)
    } else {
      replaceChange(of: name, with: Change(origin: origin, number: number))
    }
  }

  private mutating func replaceChange(of name: SettingsName, with change: Change) {
    let old = changes.updateValue(change, forKey: name)
    if let old, old.origin != change.origin { noteReplaced(old) }
    if change.origin == origin, usedOrigins.last != origin {
      // Before anything came from the others, nothing is sent to them.
      usedOrigins = (cluster == nil ? [] : usedOrigins) + [origin]
    }
  }

  private mutating func noteReplaced(_ change: Change) {
    // Before anything came from the others, nothing is sent to them.
    if cluster == nil { return }
    replaced[change.origin] = max(replaced[change.origin] ?? change.number, change.number)
  }

  /// What came from the others, beside the values.
  package struct Update: Hashable, Sendable {
    /// Which others they are, where all of theirs was read.
    package var cluster: String?
    package var revision: UInt64?
    /// The origin of changes that follow, if that has changed.
    package var origin: String?
    /// The last change of each origin that the others have.
    package var shown: [String: Number] = [:]
    /// A log that replaces the one before: where the files that had it are gone, or changes no longer count as such.
    package var log: SyncLog?
    /// Why the values may not be what the log says.
    package var doubt: Doubt?
    /// The names of values that are changes made here, as if they had been set again.
    package var claims: [SettingsName] = []
    /// The names of values that are offered to the others.
    package var offers: [SettingsName] = []
    /// The names of values that are offered no more, since the others have theirs.
    package var withdrawals: [SettingsName] = []

    package init() {}

    /// The names whose changes it decides about; none of them may be changed meanwhile.
    var names: [SettingsName] { claims + offers + withdrawals }
  }

  /// - Parameter number: The place of the update in the journals.
  package mutating func take(_ update: Update, at number: Number) {
    var update = update
    // A tool that writes the property list again may have left the log out. Without an origin, changes would have one
    // that other stores have, too: everything is read before they are numbered.
    if origin.isEmpty, update.log == nil, update.origin == nil { update.cluster = nil }
    if let log = update.log { self = log }
    if update.cluster == nil { doubt.add(update.doubt) } else { doubt = update.doubt }
    cluster = update.cluster ?? cluster
    revision = update.revision ?? revision
    if let next = update.origin {
      earlierOrigins.append(origin)
      begin(next)
    }
    removeChanges(shown: update.shown)
    for name in update.withdrawals {
      if let change = changes.removeValue(forKey: name) { noteReplaced(change) }
    }
    var number = number
    for (names, isOffer) in [(update.claims, false), (update.offers, true)] {
      for name in names {
        replaceChange(
          of: name, with: Change(origin: origin, number: number, isOffer: isOffer))
        number.index += 1
      }
    }
  }

  /// Whether a value has a change that the others do not have.
  ///
  /// - Parameter shown: The last change of each origin that they have, beside what this log knows.
  package func hasChange(of name: SettingsName, shown: [String: Number]) -> Bool {
    guard let change = changes[name] else { return false }
    return shown[change.origin].map { change.number > $0 } ?? true
  }

  /// The changes that the others have.
  ///
  /// - Complexity: O(*n*) in the number of all changes.
  package func changes(shown: [String: Number]) -> [SettingsName: Change] {
    guard hasOrigin(in: shown) else { return [:] }
    // Most are of one origin, which is not looked up again.
    var (origin, through): (String?, Number?)
    return changes.filter { _, change in
      if change.origin != origin { (origin, through) = (change.origin, shown[change.origin]) }
      return through.map { change.number <= $0 } ?? false
    }
  }

  /// Removes the changes that the others have.
  package mutating func removeChanges(shown: [String: Number]) {
    guard hasOrigin(in: shown) else { return }
    // What those before it had under way was refused with its first commit, or before.
    if shown[origin] != nil {
      if usedOrigins != [origin] { usedOrigins = [origin] }
    } else if let last = usedOrigins.lastIndex(where: { shown[$0] != nil }) {
      usedOrigins.removeFirst(last)
    }
    // As long as there are many, most of them stay: they are not copied.
    for name in changes(shown: shown).keys { changes[name] = nil }
    for (origin, number) in replaced {
      if let through = shown[origin], number <= through { replaced[origin] = nil }
    }
  }

  /// Whether some changes may be of these origins: most commits are made by other machines.
  private func hasOrigin(in shown: [String: Number]) -> Bool {
    shown.keys.contains {
      $0 == origin || earlierOrigins.contains($0) || usedOrigins.contains($0)
    }
  }

  /// The origins that changes, here or under way, may have.
  package var origins: Set<String> { Set(earlierOrigins + usedOrigins + [origin]) }
}

extension SyncLog.Doubt? {
  /// Adds what else may have come between.
  package mutating func add(_ other: SyncLog.Doubt?) {
    if let other, other != self { self = self == nil ? other : .both }
  }

  /// Whether values that could not be read are missing.
  var isDamaged: Bool { self == .damaged || self == .both }
}

extension SyncLog.Number: Comparable {
  package static func < (one: Self, other: Self) -> Bool {
    (one.generation, one.offset, one.index) < (other.generation, other.offset, other.index)
  }
}

extension SyncLog.Number: LosslessStringConvertible {
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let generation = UInt64(parts[0]), let offset = Int64(parts[1]),
      let index = Int(parts[2])
    else { return nil }
    self.init(generation: generation, offset: offset, index: index)
  }

  package var description: String { "\(generation).\(offset).\(index)" }
}
