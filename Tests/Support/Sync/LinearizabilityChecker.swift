/// Whether the operations on one value could have taken effect one after the other, each between its times.
///
/// The search of Wing and Gong, with the memory of configurations that Lowe added: Testing for linearizability, 2016.
package struct LinearizabilityChecker {
  package enum Verdict: Hashable, Sendable {
    case linearizable
    /// No order is possible; the operations among which none could come next where the search came furthest.
    case notLinearizable(stuck: [RegisterOperation])
    /// There were more configurations than allowed.
    case undecided
  }

  /// What the search has decided so far.
  private struct Configuration: Hashable {
    /// A bit for each operation that has taken effect.
    var done: [UInt64]
    var value: Int?
    /// How many values of the known order were reached.
    var position: Int
  }

  private struct Step {
    var choices: [Int]
    /// The one that is tried, as an index of the choices.
    var current = -1
    /// What was before it.
    let value: Int?
    let position: Int
  }

  private let operations: [RegisterOperation]
  private let order: [Int?]?
  private let limit: Int
  /// A list of the operations that have not taken effect, by the times of their beginning; the last index is its
  /// head.
  private var (next, previous): ([Int], [Int])
  private var configuration: Configuration
  /// How many operations must still take effect.
  private var openCount: Int
  private var visited: Set<Configuration> = []
  private var (doneCount, furthest, stuck): (Int, Int, [RegisterOperation]) = (0, -1, [])

  private init(
    _ operations: [RegisterOperation], from initial: Int?, order: [Int?]?, limit: Int
  ) {
    self.operations = operations.sorted { $0.invoked < $1.invoked }
    self.order = order
    self.limit = limit
    let count = operations.count
    next = (0...count).map { ($0 + 1) % (count + 1) }
    previous = (0...count).map { ($0 + count) % (count + 1) }
    configuration = Configuration(
      done: [UInt64](repeating: 0, count: count / 64 + 1), value: initial, position: 0)
    openCount = operations.count { $0.completed != nil }
  }

  /// Searches for an order.
  ///
  /// - Parameters:
  ///   - initial: The value before all operations.
  ///   - order: The values that the engine had one after the other, where that is known: then only this order counts.
  ///   - limit: How many configurations may be looked at.
  package static func check(
    _ operations: [RegisterOperation], from initial: Int? = nil, order: [Int?]? = nil,
    limit: Int = 200_000
  ) -> Verdict {
    var checker = Self(operations, from: initial, order: order, limit: limit)
    return checker.search()
  }

  private mutating func search() -> Verdict {
    var steps = [makeStep()]
    while true {
      if openCount == 0, order.map({ $0.count == configuration.position }) ?? true {
        return .linearizable
      }
      let last = steps.count - 1
      if steps[last].current >= 0 {
        restore(steps[last].choices[steps[last].current])
        configuration.value = steps[last].value
        configuration.position = steps[last].position
      }
      steps[last].current += 1
      guard steps[last].current < steps[last].choices.count else {
        steps.removeLast()
        if steps.isEmpty { return .notLinearizable(stuck: stuck) }
        continue
      }
      let chosen = steps[last].choices[steps[last].current]
      take(chosen)
      guard visited.insert(configuration).inserted else { continue }
      if visited.count > limit { return .undecided }
      steps.append(makeStep())
    }
  }

  private mutating func makeStep() -> Step {
    Step(choices: choices(), value: configuration.value, position: configuration.position)
  }

  /// The operations of which one may come next, those first that are most likely to.
  private mutating func choices() -> [Int] {
    var candidates: [RegisterOperation.Action: Int] = [:]
    var deadline = Int64.max
    var index = next[operations.count]
    while index < operations.count, operations[index].invoked <= deadline {
      let operation = operations[index]
      let completed = operation.completed ?? .max
      deadline = min(deadline, completed)
      // Of several that do the same, the one that must take effect first may as well do so.
      if let other = candidates[operation.action] {
        if completed < operations[other].completed ?? .max { candidates[operation.action] = index }
      } else {
        candidates[operation.action] = index
      }
      index = next[index]
    }
    if doneCount > furthest {
      furthest = doneCount
      stuck = candidates.values.sorted().map { operations[$0] }
    }
    let value = configuration.value
    // A read that is possible changes nothing, and so needs no alternative.
    if let read = candidates[.read(value)] { return [read] }
    let possible = candidates.values.filter { index in
      let action = operations[index].action
      guard !action.isRead, let result = action.result(on: value) else { return false }
      return result == value || isNext(result)
    }
    return possible.sorted { one, other in
      (operations[one].completed ?? .max, one) < (operations[other].completed ?? .max, other)
    }
  }

  /// Whether the known order, if there is one, continues with a value.
  private func isNext(_ value: Int?) -> Bool {
    guard let order else { return true }
    return configuration.position < order.count && order[configuration.position] == value
  }

  private mutating func take(_ index: Int) {
    next[previous[index]] = next[index]
    previous[next[index]] = previous[index]
    configuration.done[index / 64] |= 1 << UInt64(index % 64)
    if operations[index].completed != nil { openCount -= 1 }
    doneCount += 1
    let value = operations[index].action.result(on: configuration.value) ?? nil
    if value != configuration.value { configuration.position += 1 }
    configuration.value = value
  }

  private mutating func restore(_ index: Int) {
    next[previous[index]] = index
    previous[next[index]] = index
    configuration.done[index / 64] &= ~(1 << UInt64(index % 64))
    if operations[index].completed != nil { openCount += 1 }
    doneCount -= 1
  }
}
