import KeepsakeSync

/// What several processes did, and the commits of the namespace that they share: whether it is as promised.
struct RunHistory {
  /// A value in a machine.
  private struct Key: Hashable {
    let machine: Int
    let name: String

    init(_ operation: SharedOperation) { (machine, name) = (operation.machine, operation.key) }
  }

  /// By the times of their beginning.
  private let operations: [SharedOperation]
  /// When machines have lost their files.
  private let losses: [Int: [Int64]]
  /// What each key had, one after the other.
  private var values: [String: [Int?]] = [:]
  /// The operations of each machine, by the times of their beginning.
  private let machines: [Int: [SharedOperation]]
  /// Those of them that change the machine's own values.
  private let locals: [Key: [SharedOperation]]
  private let changes: [SyncChange]
  private(set) var problems: [String] = []

  init(_ operations: [SharedOperation], _ changes: [SyncChange], losses: [Int: [Int64]]) {
    self.operations = operations.sorted { $0.invoked < $1.invoked }
    self.losses = losses
    self.changes = changes
    machines = Dictionary(grouping: self.operations) { $0.machine }
    locals = Dictionary(grouping: self.operations.filter(\.isLocal)) { Key($0) }
    read(changes)
    checkValues()
    checkLocalValues()
    checkCounters()
    for key in OperationPlan.registers + OperationPlan.counters + [OperationPlan.pair] {
      checkOrder(of: key)
    }
  }

  private mutating func read(_ changes: [SyncChange]) {
    var revision: UInt64 = 0
    for change in changes {
      if change.revision <= revision {
        problems.append("Revision \(change.revision) was received after \(revision).")
      }
      revision = change.revision
      for case (.value(let key), let bytes) in change.writes {
        values[String(decoding: key, as: UTF8.self), default: []].append(bytes.flatMap(Int.init))
      }
      let pair = [OperationPlan.pair, OperationPlan.pair + ".twin"].map {
        change.writes[$0.syncKey]
      }
      if pair[0] != pair[1] { problems.append("One of two values is alone in a commit.") }
    }
  }

  /// Each value is there at most once, and by an operation that may have written it; what was acknowledged is there,
  /// or was replaced in the same machine before it was sent.
  private mutating func checkValues() {
    var writers: [Int: SharedOperation] = [:]
    for operation in operations { writers[operation.written ?? 0] = operation }
    var written: Set<Int> = []
    for (key, values) in values where !OperationPlan.counters.contains(key) {
      let isTwin = key == OperationPlan.pair + ".twin"
      for case let value? in values where !isTwin {
        if !written.insert(value).inserted { problems.append("\(key) = \(value) was made twice.") }
        guard let writer = writers[value], writer.key == key else {
          problems.append("Nobody has written \(key) = \(value).")
          continue
        }
        if writer.outcome == .failed, !writer.isLocal {
          problems.append("\(key) = \(value) was made, and the error said that it was not.")
        }
      }
    }
    for operation in operations {
      if operation.outcome == .torn { problems.append("Two values were read apart.") }
      guard let value = operation.written, !written.contains(value) else { continue }
      let text = "\(operation.key) = \(value) of machine \(operation.machine)"
      if operation.isLocallyMade {
        if !isReplaced(operation, before: deadline(of: operation)) {
          problems.append("\(text) was lost.")
        }
      } else if case .made(let old) = operation.outcome,
        operation.kind != .replace || old == operation.expected
      {
        problems.append("\(text) was acknowledged, and is not there.")
      }
    }
  }

  /// When a change of a machine must be at the engine: when it was synchronized, or something after it was.
  private func deadline(of operation: SharedOperation) -> Int64 {
    guard operation.isLocallyMade, let completed = operation.completed else { return .max }
    if operation.kind == .synchronize, operation.isMade { return completed }
    let others = machines[operation.machine] ?? []
    let losses = losses[operation.machine] ?? []
    var low = 0
    var high = others.count
    while low < high {
      let middle = (low + high) / 2
      if others[middle].invoked > completed { high = middle } else { low = middle + 1 }
    }
    for other in others[low...] where other.isMade {
      if losses.contains(where: { operation.invoked < $0 && $0 < other.invoked }) { return .max }
      // Transactions send what the process has seen.
      if other.kind == .synchronize || other.isTransaction && other.process == operation.process {
        return other.completed ?? .max
      }
    }
    return .max
  }

  /// Whether another change of the same value may have taken the place of this one before it was sent.
  private func isReplaced(_ operation: SharedOperation, before deadline: Int64) -> Bool {
    if deadline == .max,
      losses[operation.machine]?.contains(where: { $0 > operation.invoked }) ?? false
    {
      return true
    }
    return locals[Key(operation)]?.contains { other in
      other.number != operation.number && other.invoked < deadline
        && other.completed ?? .max > operation.invoked
    } ?? false
  }

  /// What a process reads in its own files never goes back, unless they are older ones.
  private mutating func checkLocalValues() {
    let peeks = operations.filter { $0.kind == .peek && $0.isMade }
    let series = Dictionary(grouping: peeks) { peek in
      let count = losses[peek.machine]?.count { $0 < peek.invoked } ?? 0
      return "\(peek.key) in process \(peek.process) with its files of number \(count)"
    }
    for (text, peeks) in series {
      let ended = peeks.sorted { $0.completed ?? .max < $1.completed ?? .max }
      var (next, highest) = (0, 0)
      for peek in peeks {
        while next < ended.count, ended[next].completed ?? .max < peek.invoked {
          if case .made(let value?) = ended[next].outcome { highest = max(highest, value) }
          next += 1
        }
        if case .made(let value) = peek.outcome, value ?? 0 < highest {
          problems.append("\(text) was \(value ?? 0) after \(highest).")
        }
      }
    }
  }

  /// Each increment was made once.
  private mutating func checkCounters() {
    for key in OperationPlan.counters {
      for (index, value) in (values[key] ?? []).enumerated() where value != index + 1 {
        problems.append("\(key) had \(value ?? 0) in place of \(index + 1).")
        break
      }
    }
  }

  private mutating func checkOrder(of key: String) {
    var order: [Int?] = []
    for value in values[key] ?? [] where value != order.last ?? nil { order.append(value) }
    let written = Set(order.compactMap(\.self))
    let history = operations.filter { $0.key == key }.compactMap { register($0, written) }
    switch LinearizabilityChecker.check(history, order: order) {
    case .linearizable: return
    case .undecided: problems.append("Whether \(key) is linearizable cannot be decided.")
    case .notLinearizable(let stuck):
      problems.append(
        """
        \(key) is not linearizable: none of \(stuck) can be next, where the engine had one after the other: \
        \(near(stuck, of: key)); the operations at that time: \(during(stuck, of: key)).
        """)
    }
  }

  /// The commits of a value around those of some operations.
  private func near(_ stuck: [RegisterOperation], of key: String) -> String {
    let certain = stuck.filter { $0.completed != nil }
    let wanted = Set(certain.compactMap { $0.action.result(on: nil) ?? nil })
    let own = changes.filter { $0.writes.keys.contains(key.syncKey) }
    let places = own.indices.filter { place in
      let value = (own[place].writes[key.syncKey] ?? nil).flatMap(Int.init)
      return value.map(wanted.contains) ?? false
    }
    guard let first = places.first, let last = places.last else { return "nothing" }
    return own[max(0, first - 8)..<min(own.count, last + 8)].map { change in
      let writes = change.writes.map { key, value in
        let text = value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        return switch key {
        case .value(let name): "\(String(decoding: name, as: UTF8.self)) = \(text)"
        case .origin(let origin): "\(origin.prefix(6)): \(text)"
        default: "\(key)"
        }
      }
      return "\(change.revision): " + writes.sorted().joined(separator: ", ")
    }.joined(separator: "\n")
  }

  private func during(_ stuck: [RegisterOperation], of key: String) -> [SharedOperation] {
    let certain = stuck.filter { $0.completed != nil }
    let first = (certain.map(\.invoked).min() ?? 0) - 300_000_000
    let last = certain.compactMap(\.completed).max() ?? 0
    return operations.filter {
      $0.key == key && $0.kind != .peek && $0.invoked < last && $0.completed ?? .max > first
    }
  }

  /// The operation as one on a register; nil if it has no effect there.
  private func register(
    _ operation: SharedOperation, _ written: Set<Int>
  ) -> RegisterOperation? {
    var (action, completed): (RegisterOperation.Action, Int64?)
    switch (operation.kind, operation.outcome) {
    case (.read, .made(let value)), (.readBoth, .made(let value)):
      (action, completed) = (.read(value), operation.completed)
    case (.replace, .made(let old)) where old != operation.expected:
      (action, completed) = (.read(old), operation.completed)
    case (.increment, .made(let sum)):
      (action, completed) = (.increment(sum: sum), operation.completed)
    case (.increment, .unknown): (action, completed) = (.increment(sum: nil), nil)
    case (.write, .failed), (.replace, .failed), (.writeBoth, .failed), (.increment, .failed),
      (.read, _), (.readBoth, _), (.peek, _), (.increment, .torn):
      return nil
    case (.replace, _):
      (action, completed) = (
        .replace(operation.expected, with: operation.value),
        operation.isMade ? operation.completed : nil
      )
    case (.write, _), (.writeBoth, _):
      (action, completed) = (
        .write(operation.value), operation.isMade ? operation.completed : nil
      )
    case (.put, _), (.synchronize, _):
      let deadline = deadline(of: operation)
      (action, completed) = (.write(operation.value), deadline == .max ? nil : deadline)
      // A removal that was replaced before it was sent is not told from others.
      if operation.value == nil, isReplaced(operation, before: deadline) { completed = nil }
    }
    // What never was there has no effect; whether it should have been there is another question.
    if let value = operation.written, !written.contains(value) { return nil }
    return RegisterOperation(action, invoked: operation.invoked, completed: completed)
  }
}

extension String {
  fileprivate var syncKey: SyncKey { .value(Array(utf8)) }
}

extension Int {
  /// The integer that a property list's element has.
  init?(_ element: [UInt8]) {
    let text = String(decoding: element, as: UTF8.self)
    guard text.hasPrefix("<integer>"), text.hasSuffix("</integer>") else { return nil }
    self.init(text.dropFirst(9).dropLast(10))
  }
}
