import KeepsakeBase

/// Random operations, of which each process takes the next one.
final class OperationPlan: Sendable {
  private struct State {
    var random: SeededRandom
    var count = 0
    var isEnded = false
    /// A value that each key had lately.
    var known: [String: Int] = [:]
  }

  static let registers = (0..<4).map { "register\($0)" }
  static let counters = (0..<2).map { "counter\($0)" }
  static let pair = "pair"

  private let state: Mutex<State>

  init(seed: UInt64) {
    state = Mutex(State(random: SeededRandom(seed: seed)))
  }

  /// How many operations were taken.
  var count: Int { state.withLock { $0.count } }

  /// Has no process take another operation.
  func end() { state.withLock { $0.isEnded = true } }

  /// Learns a value that a key has, so that others are likely to replace it.
  func learn(_ value: Int, of key: String) { state.withLock { $0.known[key] = value } }

  /// The next operation for a process; nil if there is none.
  func next(machine: Int, process: Int) -> SharedOperation? {
    state.withLock { state in
      if state.isEnded { return nil }
      state.count += 1
      let number = state.count
      let choice = Int.random(in: 0..<100, using: &state.random)
      let kind: SharedOperation.Kind
      let key: String
      switch choice {
      case ..<64:
        key = Self.registers.randomElement(using: &state.random)!
        kind =
          choice < 18
          ? .read
          : choice < 28 ? .write : choice < 42 ? .replace : choice < 56 ? .synchronize : .put
      case ..<84:
        key = Self.counters.randomElement(using: &state.random)!
        kind = choice < 76 ? .increment : choice < 78 ? .read : .peek
      case ..<92: (key, kind) = (Self.pair, choice < 88 ? .writeBoth : .readBoth)
      // Written once, so that what was missed is never replaced.
      default: (key, kind) = ("once\(number)", choice < 96 ? .put : .synchronize)
      }
      let isRemoval =
        choice < 64 && kind != .replace && Int.random(in: 0..<8, using: &state.random) == 0
      return SharedOperation(
        number: number, kind: kind, key: key, value: isRemoval ? nil : number,
        expected: state.known[key], machine: machine, process: process,
        invoked: MonotonicTime.now)
    }
  }
}
