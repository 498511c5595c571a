import KeepsakeBase
import KeepsakeFiles

/// What all coordinators of one path share; it ends with the last of them, as the memory of real
/// processes does.
final class Meeting: Sendable {
  /// Who takes part.
  struct Places: Sendable {
    /// One who takes part.
    struct Seat: Sendable {
      var handler: (@Sendable () -> Void)?
      var isArmed = false
    }

    var position: SharedPosition?
    var seats: [Int: Seat] = [:]
    private var lastSeat = 0
    private var isLocked = false
    private var ringing: [@Sendable () -> Void] = []

    mutating func add() -> Int {
      lastSeat += 1
      seats[lastSeat] = Seat()
      return lastSeat
    }

    mutating func take() -> Bool {
      defer { isLocked = true }
      return !isLocked
    }

    mutating func giveBack() -> [@Sendable () -> Void] {
      defer { ringing = [] }
      isLocked = false
      return ringing
    }

    mutating func publish(_ newPosition: SharedPosition?, from publisher: Int) {
      position = newPosition
      for seat in seats.keys.sorted() where seat != publisher && seats[seat]!.isArmed {
        guard let handler = seats[seat]!.handler else { continue }
        seats[seat]!.isArmed = false
        ringing.append(handler)
      }
    }
  }

  let places = Mutex(Places())
}
