import KeepsakeBase
import KeepsakeTestSupport
import Testing

@Suite("Histories of operations on one value")
struct LinearizabilityTests {
  private typealias Operation = RegisterOperation

  private func verdict(_ operations: RegisterOperation..., order: [Int?]? = nil) -> Bool? {
    isLinearizable(operations, order: order)
  }

  private func isLinearizable(_ operations: [RegisterOperation], order: [Int?]? = nil) -> Bool? {
    switch LinearizabilityChecker.check(operations, order: order, limit: 1_000_000) {
    case .linearizable: true
    case .notLinearizable: false
    case .undecided: nil
    }
  }

  @Test("are linearizable if each operation could have taken effect between its times")
  func linearizable() {
    #expect(verdict() == true)
    #expect(
      verdict(
        Operation(.write(1), invoked: 0, completed: 1),
        Operation(.read(1), invoked: 2, completed: 3)
      ) == true)
    // A read that overlaps a write sees either value.
    for value in [nil, 1] {
      #expect(
        verdict(
          Operation(.write(1), invoked: 0, completed: 5),
          Operation(.read(value), invoked: 1, completed: 2)) == true)
    }
    #expect(
      verdict(
        Operation(.write(1), invoked: 0, completed: 9),
        Operation(.write(2), invoked: 1, completed: 8),
        Operation(.read(2), invoked: 2, completed: 3),
        Operation(.read(1), invoked: 4, completed: 5)) == true)
    #expect(
      verdict(
        Operation(.write(1), invoked: 0, completed: 1),
        Operation(.replace(1, with: 2), invoked: 2, completed: 9),
        Operation(.replace(2, with: nil), invoked: 3, completed: 8),
        Operation(.increment(sum: 1), invoked: 4, completed: 7)) == true)
  }

  @Test("are not if a value was read that was not there any more, or not yet, or never")
  func staleRead() {
    #expect(
      verdict(
        Operation(.write(1), invoked: 0, completed: 1),
        Operation(.read(nil), invoked: 2, completed: 3)) == false)
    #expect(
      verdict(
        Operation(.read(1), invoked: 0, completed: 1),
        Operation(.write(1), invoked: 2, completed: 3)) == false)
    #expect(verdict(Operation(.read(1), invoked: 0, completed: 1)) == false)
    // Once a read has seen a write that is under way, none sees the value before it.
    #expect(
      verdict(
        Operation(.write(1), invoked: 0, completed: 9),
        Operation(.read(1), invoked: 1, completed: 2),
        Operation(.read(nil), invoked: 3, completed: 4)) == false)
  }

  @Test("are not if two have replaced the same value, or an increment is missing or made twice")
  func twoWinners() {
    #expect(
      verdict(
        Operation(.replace(nil, with: 1), invoked: 0, completed: 5),
        Operation(.replace(nil, with: 2), invoked: 1, completed: 6)) == false)
    #expect(
      verdict(
        Operation(.increment(sum: 1), invoked: 0, completed: 1),
        Operation(.increment(sum: 1), invoked: 2, completed: 3)) == false)
    #expect(
      verdict(
        Operation(.increment(sum: 1), invoked: 0, completed: 1),
        Operation(.read(2), invoked: 2, completed: 3)) == false)
  }

  @Test("have operations whose outcome is unknown take effect at any time after, or never")
  func unknownOutcome() {
    let unknown = Operation(.write(1), invoked: 2, completed: nil)
    #expect(verdict(unknown, Operation(.read(nil), invoked: 3, completed: 4)) == true)
    #expect(
      verdict(
        unknown, Operation(.read(nil), invoked: 3, completed: 4),
        Operation(.read(1), invoked: 5, completed: 6)) == true)
    #expect(
      verdict(
        unknown, Operation(.read(1), invoked: 3, completed: 4),
        Operation(.read(nil), invoked: 5, completed: 6)) == false)
    #expect(verdict(unknown, Operation(.read(1), invoked: 0, completed: 1)) == false)
    #expect(
      verdict(
        Operation(.increment(sum: nil), invoked: 0, completed: nil),
        Operation(.increment(sum: 2), invoked: 1, completed: 2)) == true)
    #expect(
      verdict(
        Operation(.increment(sum: nil), invoked: 0, completed: nil),
        Operation(.increment(sum: 3), invoked: 1, completed: 2)) == false)
  }

  @Test("must have the order that is known")
  func knownOrder() {
    let writes = [1, 2].map { Operation(.write($0), invoked: 0, completed: 9) }
    #expect(isLinearizable(writes, order: [1, 2]) == true)
    #expect(isLinearizable(writes, order: [2, 1]) == true)
    // One of them is missing, nobody has written 3, or another write came before.
    #expect(isLinearizable(writes, order: [2]) == false)
    #expect(isLinearizable(writes, order: [1, 2, 3]) == false)
    #expect(
      isLinearizable(
        writes + [Operation(.read(2), invoked: 10, completed: 11)], order: [2, 1]) == false)
    #expect(
      verdict(Operation(.write(1), invoked: 0, completed: nil), order: []) == true)
    // What does not exist can be removed, too.
    #expect(
      isLinearizable(
        writes + [Operation(.write(nil), invoked: 0, completed: 1)], order: [1, 2]) == true)
  }

  @Test("are judged as by trying all orders")
  func allOrders() {
    var counts = [true: 0, false: 0]
    for seed in 0..<(TestLength.isAtLeast(.standard) ? 20_000 : 2_000) {
      var random = SeededRandom(seed: UInt64(seed))
      let operations = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        let invoked = Int64.random(in: 0..<12, using: &random)
        let isKnown = Int.random(in: 0..<4, using: &random) > 0
        return Operation(
          Self.anyAction(&random), invoked: invoked,
          completed: isKnown ? invoked + Int64.random(in: 1..<8, using: &random) : nil)
      }
      let expected = Self.hasOrder(operations)
      counts[expected, default: 0] += 1
      #expect(isLinearizable(operations) == expected, "seed \(seed)")
    }
    #expect(counts.values.allSatisfy { $0 > 500 })
  }

  private static func anyAction(_ random: inout SeededRandom) -> RegisterOperation.Action {
    func value() -> Int? { [nil, 1, 2].randomElement(using: &random)! }
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: .write(value())
    case 1: .replace(value(), with: value())
    case 2: .increment(sum: [nil, 1, 2, 3].randomElement(using: &random)!)
    default: .read(value())
    }
  }

  /// Tries all orders, without remembering anything.
  private static func hasOrder(_ operations: [RegisterOperation], from value: Int? = nil) -> Bool {
    if operations.allSatisfy({ $0.completed == nil }) { return true }
    return operations.indices.contains { index in
      let operation = operations[index]
      let isFree = operations.allSatisfy { $0.completed ?? .max >= operation.invoked }
      guard isFree, let result = operation.action.result(on: value) else { return false }
      var others = operations
      others.remove(at: index)
      return hasOrder(others, from: result)
    }
  }

  @Test("of a value that has them one at a time are linearizable, and not after a mutation")
  func mutations() {
    for seed in 0..<(TestLength.isAtLeast(.standard) ? 200 : 40) {
      let execution = Execution(seed: UInt64(seed), count: 400)
      let comment = Comment("seed \(seed)")
      #expect(isLinearizable(execution.operations, order: execution.order) == true, comment)
      for mutation in Execution.Mutation.allCases {
        guard let (operations, order) = execution.mutated(mutation) else { continue }
        let isFound = isLinearizable(operations, order: order) == false
        #expect(isFound, "seed \(seed), \(mutation)")
      }
      // Without the order, there are more ways to go wrong.
      let short = Execution(seed: UInt64(seed), count: 40)
      #expect(isLinearizable(short.operations) == true, comment)
      for mutation in [Execution.Mutation.staleRead, .twoWinners] {
        guard let (operations, _) = short.mutated(mutation) else { continue }
        #expect(isLinearizable(operations) == false, "seed \(seed), \(mutation)")
      }
    }
  }
}

/// What several clients did with one value, which really had it one at a time.
private struct Execution {
  enum Mutation: CaseIterable {
    /// A read has the value that a write had replaced before the read began.
    case staleRead
    /// A write was acknowledged, and the value never had it.
    case lostWrite
    /// A write took effect again, later.
    case appliedTwice
    /// Two have replaced the same value.
    case twoWinners
  }

  private(set) var operations: [RegisterOperation] = []
  private(set) var order: [Int?] = []
  private var random: SeededRandom

  init(seed: UInt64, count: Int) {
    random = SeededRandom(seed: seed)
    var value: Int?
    for number in 1...count {
      // It takes effect at this time, and the operations of six clients overlap.
      let time = Int64(number) * 10
      let choice = Int.random(in: 0..<10, using: &random)
      let isUnknown = Int.random(in: 0..<20, using: &random) == 0
      let new = choice == 9 ? nil : number
      let action: RegisterOperation.Action =
        choice < 4 ? .read(value) : choice < 7 ? .replace(value, with: number) : .write(new)
      if isUnknown, Bool.random(using: &random) {
        // It never takes effect.
        operations.append(RegisterOperation(.write(-number), invoked: time, completed: nil))
        continue
      }
      operations.append(
        RegisterOperation(
          action, invoked: time - .random(in: 1..<30, using: &random),
          completed: isUnknown && !action.isReading
            ? nil : time + .random(in: 1..<30, using: &random)))
      let result = action.result(on: value) ?? nil
      if result != value { order.append(result) }
      value = result
    }
  }

  func mutated(
    _ mutation: Mutation
  ) -> (operations: [RegisterOperation], order: [Int?])? {
    var (operations, order) = (operations, order)
    switch mutation {
    case .staleRead:
      for index in operations.indices.reversed() {
        guard case .read = operations[index].action else { continue }
        let start = operations[index].invoked
        let replaced = operations.first { other in
          guard case .replace(let old?, _) = other.action, old > 0 else { return false }
          return other.completed ?? .max < start
        }
        guard case .replace(let old, _)? = replaced?.action else { return nil }
        operations[index].action = .read(old)
        return (operations, order)
      }
      return nil
    case .lostWrite:
      guard
        let lost = operations.first(where: {
          if case .write(_?) = $0.action { $0.completed != nil } else { false }
        }), case .write(let value) = lost.action
      else { return nil }
      order.removeAll { $0 == value }
      return (operations, order)
    case .appliedTwice:
      guard let value = order.dropLast(3).first(where: { $0 != nil }) else { return nil }
      order.append(value)
      return (operations, order)
    case .twoWinners:
      guard
        let winner = operations.first(where: {
          if case .replace(_?, _) = $0.action { $0.completed != nil } else { false }
        }), case .replace(let old, _) = winner.action
      else { return nil }
      operations.append(
        RegisterOperation(
          .replace(old, with: 100_000), invoked: winner.invoked, completed: winner.completed))
      order.append(100_000)
      return (operations, order)
    }
  }
}

extension RegisterOperation.Action {
  fileprivate var isReading: Bool {
    if case .read = self { true } else { false }
  }
}
