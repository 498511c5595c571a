/// The documents that are changed here, or may be, and when that was told.
struct WaitingDocuments {
  /// A document that may be changed.
  struct Told {
    var name: String
    /// When that was told first, since it was compared last.
    var first: UInt64
    /// When it was told last.
    var last: UInt64
  }

  /// The moment of what was told last.
  private(set) var now: UInt64 = 0
  /// How many were compared so far.
  private(set) var comparedCount: UInt64 = 0
  /// Those that are to be compared with what was known.
  private var told: [String: Told] = [:]
  private var sending: [String: UInt64] = [:]
  /// Those of which the engine has had another change, which has not come yet.
  private var refused: [String: UInt64] = [:]
  /// Those that the engine does not take.
  var tooLarge: Set<String> = []

  var count: Int { Set(told.keys).union(sending.keys).union(refused.keys).count }

  /// Those that are to be compared, in the order in which they were told.
  ///
  /// - Complexity: O(*n* log *n*).
  var all: [Told] { told.values.sorted { $0.first < $1.first } }

  var hasRefused: Bool { !refused.isEmpty }

  func isRefused(_ name: String) -> Bool { refused[name] != nil }

  /// Whether none that was told up to a moment is left.
  ///
  /// - Complexity: O(*n*).
  func isNone(through moment: UInt64) -> Bool {
    told.values.allSatisfy { $0.first > moment } && sending.values.allSatisfy { $0 > moment }
      && refused.values.allSatisfy { $0 > moment }
  }

  mutating func tell(_ name: String) {
    now += 1
    told[name, default: Told(name: name, first: now, last: now)].last = now
  }

  /// Notes that one was compared as it was when it was found among ``all``.
  mutating func compared(_ document: Told, isSending: Bool) {
    let name = document.name
    comparedCount += 1
    if isSending { sending[name] = document.first }
    guard let last = told[name]?.last else { return }
    // It may have been changed after it was read.
    told[name] = last == document.last ? nil : Told(name: name, first: last, last: last)
  }

  mutating func sent(_ name: String) { sending[name] = nil }

  mutating func refuse(_ name: String) {
    if let moment = sending.removeValue(forKey: name) { refused[name] = moment }
  }

  /// Has one be compared that is being sent or was refused.
  mutating func again(_ name: String) {
    let moments = [sending.removeValue(forKey: name), refused.removeValue(forKey: name)]
    guard let first = moments.compactMap({ $0 }).min() else { return }
    let last = told[name]?.last ?? first
    told[name] = Told(name: name, first: min(first, told[name]?.first ?? first), last: last)
  }

  /// Has one be compared if it is being sent.
  mutating func sendingAgain(_ name: String) { if sending[name] != nil { again(name) } }

  mutating func refusedAgain() { for name in refused.keys { again(name) } }
}
