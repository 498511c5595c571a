/// The documents that are changed here, or may be, and when that was noted.
struct WaitingDocuments {
  /// A document that may be changed.
  struct Entry {
    var name: String
    /// When that was noted first, since it was compared last.
    var first: UInt64
    /// When that was noted last.
    var last: UInt64
  }

  /// A document, and when a change of it was noted first.
  struct Slot {
    var name: String
    var moment: UInt64
  }

  /// When a change was noted last.
  private(set) var now: UInt64 = 0
  /// How many were compared so far.
  private(set) var comparedCount: UInt64 = 0
  /// Those that are to be compared with what was known.
  private var entries: [String: Entry] = [:]
  /// Those in the order in which they were noted first; others were compared since.
  private var order: ArraySlice<Slot> = []
  private var isInOrder = true
  private var sending: [String: UInt64] = [:]
  /// Those of which the engine has had another change, which has not come yet.
  private var refused: [String: UInt64] = [:]
  /// Those that the engine does not take.
  var tooLarge: Set<String> = []

  /// - Complexity: O(*n*) in how many are being sent, or were refused.
  var count: Int {
    let others = Set(sending.keys).union(refused.keys)
    return entries.count + others.count { entries[$0] == nil }
  }

  /// Those that are to be compared, in the order in which they were noted first; some may have been compared since.
  ///
  /// - Complexity: O(1) on average; O(*n* log *n*) where some must be compared again.
  mutating func slots() -> ArraySlice<Slot> {
    if !isInOrder || order.count > 2 * entries.count + 64 {
      order =
        entries.values.map { Slot(name: $0.name, moment: $0.first) }
        .sorted { $0.moment < $1.moment }[...]
      isInOrder = true
    }
    order = order.drop { entries[$0.name]?.first != $0.moment }
    return order
  }

  /// What is noted in a slot; nil if it was compared since.
  func entry(at slot: Slot) -> Entry? {
    entries[slot.name].flatMap { $0.first == slot.moment ? $0 : nil }
  }

  var hasRefused: Bool { !refused.isEmpty }

  func isRefused(_ name: String) -> Bool { refused[name] != nil }

  /// Whether none that was noted up to a moment is left.
  ///
  /// - Complexity: O(*n*).
  func isNone(through moment: UInt64) -> Bool {
    entries.values.allSatisfy { $0.first > moment } && sending.values.allSatisfy { $0 > moment }
      && refused.values.allSatisfy { $0 > moment }
  }

  mutating func note(_ name: String) {
    now += 1
    if entries[name] == nil {
      entries[name] = Entry(name: name, first: now, last: now)
      order.append(Slot(name: name, moment: now))
    } else {
      entries[name]?.last = now
    }
  }

  /// Notes that one was compared as it was when it was found.
  mutating func compared(_ document: Entry, isSending: Bool) {
    let name = document.name
    comparedCount += 1
    if isSending { sending[name] = document.first }
    guard let last = entries[name]?.last else { return }
    // It may have been changed after it was read.
    entries[name] = last == document.last ? nil : Entry(name: name, first: last, last: last)
    isInOrder = isInOrder && last == document.last
  }

  mutating func sent(_ name: String) { sending[name] = nil }

  mutating func refuse(_ name: String) {
    if let moment = sending.removeValue(forKey: name) { refused[name] = moment }
  }

  /// Notes again one that is being sent or was refused.
  mutating func again(_ name: String) {
    let moments = [sending.removeValue(forKey: name), refused.removeValue(forKey: name)]
    guard let first = moments.compactMap({ $0 }).min() else { return }
    let last = entries[name]?.last ?? first
    entries[name] = Entry(name: name, first: min(first, entries[name]?.first ?? first), last: last)
    isInOrder = false
  }

  /// Notes it again if it is being sent.
  mutating func sendingAgain(_ name: String) { if sending[name] != nil { again(name) } }

  mutating func refusedAgain() { for name in refused.keys { again(name) } }
}
