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

  /// When something was told of a document.
  struct Place {
    var name: String
    var moment: UInt64
  }

  /// The moment of what was told last.
  private(set) var now: UInt64 = 0
  /// How many were compared so far.
  private(set) var comparedCount: UInt64 = 0
  /// Those that are to be compared with what was known.
  private var told: [String: Told] = [:]
  /// When each of them was told first, in order; others were compared since.
  private var order: ArraySlice<Place> = []
  private var isInOrder = true
  private var sending: [String: UInt64] = [:]
  /// Those of which the engine has had another change, which has not come yet.
  private var refused: [String: UInt64] = [:]
  /// Those that the engine does not take.
  var tooLarge: Set<String> = []

  /// - Complexity: O(*n*) in how many are being sent, or were refused.
  var count: Int {
    let others = Set(sending.keys).union(refused.keys)
    return told.count + others.count { told[$0] == nil }
  }

  /// The places of those that are to be compared, in the order in which they were told; some may have been since.
  ///
  /// - Complexity: O(1) on average; O(*n* log *n*) where some must be compared again.
  mutating func places() -> ArraySlice<Place> {
    if !isInOrder || order.count > 2 * told.count + 64 {
      order =
        told.values.map { Place(name: $0.name, moment: $0.first) }
        .sorted { $0.moment < $1.moment }[...]
      isInOrder = true
    }
    order = order.drop { told[$0.name]?.first != $0.moment }
    return order
  }

  /// The document of a place; nil if it is there no longer.
  func told(at place: Place) -> Told? {
    told[place.name].flatMap { $0.first == place.moment ? $0 : nil }
  }

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
    if told[name] == nil {
      told[name] = Told(name: name, first: now, last: now)
      order.append(Place(name: name, moment: now))
    } else {
      told[name]?.last = now
    }
  }

  /// Notes that one was compared as it was when it was found.
  mutating func compared(_ document: Told, isSending: Bool) {
    let name = document.name
    comparedCount += 1
    if isSending { sending[name] = document.first }
    guard let last = told[name]?.last else { return }
    // It may have been changed after it was read.
    told[name] = last == document.last ? nil : Told(name: name, first: last, last: last)
    isInOrder = isInOrder && last == document.last
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
    isInOrder = false
  }

  /// Has one be compared if it is being sent.
  mutating func sendingAgain(_ name: String) { if sending[name] != nil { again(name) } }

  mutating func refusedAgain() { for name in refused.keys { again(name) } }
}
