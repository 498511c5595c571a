/// The changes made here that the engine is not known to have, of each key only the last.
///
/// A change has a number, which grows under its origin. The engine keeps for each origin the number of
/// the last change that it has; each commit raises it, on the condition that nobody else did. So a commit
/// whose answer was lost is sent again without harm: it is refused, and the number says what was done.
package struct Outbox: Sendable {
  /// A change that waits.
  package struct Change: Hashable, Sendable {
    package let origin: SyncOrigin
    package let number: UInt64
    /// The new value; nil if the key was removed.
    package let value: [UInt8]?
  }

  /// The origin of the next change.
  package private(set) var origin: SyncOrigin
  /// The origins, from the first on, and the number of the last change of each.
  private var origins: [(origin: SyncOrigin, last: UInt64)]
  private(set) var changes: [[UInt8]: Change] = [:]

  package init(origin: SyncOrigin) {
    self.origin = origin
    origins = [(origin, 0)]
  }

  package var isEmpty: Bool { changes.isEmpty }
  package var count: Int { changes.count }

  /// Has the next changes be those of another origin; what waits keeps its own.
  package mutating func begin(_ origin: SyncOrigin) {
    guard !origins.contains(where: { $0.origin == origin }) else { return }
    self.origin = origin
    origins.append((origin, 0))
    discardUnusedOrigins()
  }

  /// Adds a change, in place of an earlier one of the same key.
  package mutating func add(_ value: [UInt8]?, for key: [UInt8]) {
    origins[origins.count - 1].last += 1
    changes[key] = Change(origin: origin, number: origins[origins.count - 1].last, value: value)
  }

  /// Removes the changes of an origin up to a number.
  ///
  /// - Returns: Their values, by their keys.
  mutating func removeChanges(
    of origin: SyncOrigin, through number: UInt64
  ) -> [[UInt8]: [UInt8]?] {
    let removed = changes.filter { $1.origin == origin && $1.number <= number }
    for key in removed.keys { changes[key] = nil }
    discardUnusedOrigins()
    return removed.mapValues(\.value)
  }

  /// The oldest changes that the engine has not acknowledged, all of one origin, in the order in which they
  /// were made.
  ///
  /// - Parameter acknowledged: The number of an origin's last change that the engine has acknowledged.
  /// - Complexity: O(*n* log *n*) in the number of changes.
  func next(
    limits: SyncLimits, acknowledged: (SyncOrigin) -> UInt64
  ) -> [(key: [UInt8], change: Change)] {
    let waiting = changes.filter { $1.number > acknowledged($1.origin) }
    let oldest = origins.first { origin, _ in waiting.values.contains { $0.origin == origin } }
    guard let origin = oldest?.origin else { return [] }
    let batch = waiting.filter { $1.origin == origin }.sorted { $0.value.number < $1.value.number }
    var length = 0
    let fitting = batch.prefix(limits.writes).prefix { key, change in
      length += key.count + (change.value?.count ?? 0)
      return length <= limits.length
    }
    // One that is larger than the limit alone is the engine's to refuse.
    return (fitting.isEmpty ? batch.prefix(1) : fitting).map { ($0.key, $0.value) }
  }

  private mutating func discardUnusedOrigins() {
    let used = Set(changes.values.map(\.origin)).union([origin])
    origins.removeAll { !used.contains($0.origin) }
  }
}
