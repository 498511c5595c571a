import KeepsakeSettings

/// The changes of a view that an engine does not have, in the order in which they are sent.
///
/// Each commit raises its origin's record to the number of the last change in it, on the condition that nobody else
/// did. So a commit whose answer was lost is sent again without harm: it is refused, and the record says what was made.
///
/// Before an origin's first commit, or with it, the records of the earlier ones are written again: so what these have
/// under way is refused, also if a power cut has taken back what says so.
struct SendQueue {
  /// A change of a value; without a name, one that another has replaced: the record is raised beyond it, so that it is
  /// refused if it is still under way.
  private struct Entry {
    var name: SettingsName?
    var change: SyncLog.Change
    /// The origin before whose first commit a record is written again as it is; nil for all other entries.
    var next: String?
  }

  private let view: SyncView
  private let day: Int
  private var entries: ArraySlice<Entry>
  /// Those of them that the engine does not take.
  private(set) var tooLarge: [SettingsName: SyncLog.Change] = [:]
  /// The origins whose records earlier commits write.
  private var written: Set<String> = []

  /// - Parameter day: The present one, as records have it.
  /// - Complexity: O(*n* log *n*) in the number of changes.
  init(_ view: SyncView, day: Int) {
    self.view = view
    self.day = day
    let replaced = view.log.replaced.map { origin, number in
      Entry(change: SyncLog.Change(origin: origin, number: number))
    }
    let all = view.log.changes.map { Entry(name: $0.key, change: $0.value) } + replaced
    // One origin after the other: a change may have replaced one of any earlier origin, whose record must be raised with
    // it, or before.
    let origins = Dictionary(grouping: all, by: \.change.origin)
    var used = view.log.usedOrigins[...]
    entries =
      (view.log.earlierOrigins + [view.log.origin]).flatMap { origin -> [Entry] in
        guard let changes = origins[origin] else { return [] }
        // Those before the last one that has something to send are written again before, or with, its first commit.
        let earlier = used.prefix { $0 != origin }
        used = used[earlier.endIndex...]
        return earlier.map {
          Entry(change: SyncLog.Change(origin: $0, number: .none), next: origin)
        } + changes.sorted { $0.change.number < $1.change.number }
      }[...]
  }

  /// What is done with the changes that come first.
  enum Next: Equatable {
    /// There are none.
    case nothing
    /// The first one is an offer, which is not made yet.
    case wait
    /// Values that are larger than the engine takes are set again, so that they come last: a record would say that
    /// they were made.
    case postpone([SettingsName: SyncLog.Change])
    case commit(SyncCommit)
  }

  /// Whether one commit takes all changes that the engine does not have.
  ///
  /// Such a commit may be made before its changes are on disk. Of several commits, a power cut could take back
  /// changes of one and leave older ones of the same values, of which the record then says that they were made. One
  /// that has everything has these values, too, and gives them back.
  func isOneCommit(
    limits: SyncLimits, record: (String) -> (through: SyncLog.Number, revision: UInt64)?
  ) -> Bool {
    guard view.log.replaced.isEmpty else { return false }
    var rest = self
    // Offers may have to wait, and what comes before them is sent alone then.
    guard case .commit = rest.next(limits: limits, mayOffer: false, record: record),
      case .nothing = rest.next(limits: limits, mayOffer: false, record: record)
    else { return false }
    return rest.tooLarge.isEmpty
  }

  /// Removes the changes that come first, as many as the engine takes at once.
  ///
  /// - Parameters:
  ///   - mayOffer: Whether values may be offered.
  ///   - record: What the engine is known to have of an origin.
  mutating func next(
    limits: SyncLimits, mayOffer: Bool,
    record: (String) -> (through: SyncLog.Number, revision: UInt64)?
  ) -> Next {
    var commit = SyncCommit(conditions: [:], writes: [:])
    var last: [String: SyncLog.Number] = [:]
    var passed: [SettingsName: SyncLog.Change] = [:]
    var length = 0
    while let entry = entries.first {
      let (origin, known) = (entry.change.origin, record(entry.change.origin))
      var number = entry.change.number
      if let next = entry.next {
        if record(next) != nil || last[origin] != nil || written.contains(origin) {
          entries.removeFirst()
          continue
        }
        number = known?.through ?? number
      } else if let known, number <= known.through {
        entries.removeFirst()
        continue
      }
      let value = entry.name.flatMap(view.value)
      var size = 0
      if let name = entry.name {
        size = entry.change.length(of: name, value)
        if !limits.allow(keyLength: name.string.utf8.count, length: size) {
          if !last.isEmpty { break }
          passed[name] = entry.change
          tooLarge[name] = entry.change
          entries.removeFirst()
          continue
        }
      }
      // One that is too large must not be below the record.
      if !passed.isEmpty { return .postpone(passed) }
      if entry.change.isOffer, !mayOffer {
        if last.isEmpty { return .wait } else { break }
      }
      if !last.isEmpty {
        var count = commit.writes.count + last.count + (entry.name == nil ? 0 : 1)
        if last[origin] == nil {
          count += 1
          size += origin.utf8.count + OriginRecord(through: number, day: day).bytes.count
        }
        if length + size > limits.batchLength || count - 1 > limits.writes { break }
      }
      if let name = entry.name {
        let key = SyncKey(name)
        commit.writes.updateValue(value, forKey: key)
        if entry.change.isOffer { commit.conditions[key] = 0 }
      }
      length += size
      last[origin] = number
      entries.removeFirst()
    }
    for (origin, number) in last {
      commit.conditions[.origin(origin)] = record(origin)?.revision ?? 0
      commit.writes[.origin(origin)] = OriginRecord(through: number, day: day).bytes
    }
    written.formUnion(last.keys)
    return last.isEmpty ? .nothing : .commit(commit)
  }
}

extension SyncLog.Change {
  /// How much of a commit the change takes.
  fileprivate func length(of name: SettingsName, _ value: [UInt8]?) -> Int {
    // The condition of an offer has the name, too, and so has what a refusal is to say.
    name.string.utf8.count * (isOffer ? 3 : 1) + (value?.count ?? 0)
  }
}

extension SyncView {
  /// The values that are larger than an engine takes.
  ///
  /// - Complexity: O(*n*) in the bytes of the values with changes.
  func tooLarge(for limits: SyncLimits) -> [SettingsName] {
    log.changes.keys.filter { isTooLarge($0, for: limits) }
  }

  /// Whether a value has a change that is larger than an engine takes.
  func isTooLarge(_ name: SettingsName, for limits: SyncLimits) -> Bool {
    guard let change = log.changes[name] else { return false }
    return !limits.allow(
      keyLength: name.string.utf8.count, length: change.length(of: name, value(name)))
  }
}
