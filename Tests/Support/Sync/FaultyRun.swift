import KeepsakeSettings
package import KeepsakeSync

/// Three stores that follow a namespace of an engine and change its values, while faults come and go.
package struct FaultyRun {
  private let engines: [any SyncEngine]

  /// - Parameter engines: Three engines of one namespace.
  package init(_ engines: [any SyncEngine]) {
    self.engines = engines
  }

  /// Changes values, lets the stores come to an agreement, and compares all that happened.
  ///
  /// - Parameters:
  ///   - fault: Called in each round when a third of its changes are made.
  ///   - repair: Called when two thirds are made.
  /// - Returns: What is wrong; empty if nothing is.
  package func problems(
    rounds: Int, fault: (Int) throws -> Void, repair: (Int) throws -> Void
  ) async throws -> [String] {
    var timing = SyncTiming()
    timing.answer = .seconds(1)
    timing.silence = .seconds(1)
    timing.retry = .milliseconds(20) ... .milliseconds(500)
    let stores = engines.indices.map { DurableStoreModel(origin: "\($0)") }
    let drivers = zip(stores, engines).map { SyncDriver($0, engine: $1, timing: timing) }
    for driver in drivers { await driver.start() }
    var number = 0
    for round in 0..<rounds {
      for step in 0..<300 {
        if step == 100 { try fault(round) }
        if step == 200 { try repair(round) }
        number += 1
        let index = number % stores.count
        stores[index].set(Array("\(number)".utf8), for: SettingsName("\(number % 7)"))
        await drivers[index].storeChanged()
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    var problems: [String] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      var areCurrent = true
      for driver in drivers where await driver.status.state != .current { areCurrent = false }
      let values = stores.map(\.values)
      if areCurrent, values.allSatisfy({ $0 == values[0] }) {
        if try await engines[0].read().values != values[0] {
          problems.append("The engine has other values than the stores.")
        }
        break
      }
      if .now > deadline { return ["The stores do not agree."] }
      try await Task.sleep(for: .milliseconds(50))
    }
    for driver in drivers { await driver.end() }
    let written = try await written()
    if Set(written).count != written.count { problems.append("A change was made twice.") }
    if !written.contains(Array("\(number)".utf8)) { problems.append("The last change was lost.") }
    return problems
  }

  /// Every value that was ever committed.
  private func written() async throws -> [[UInt8]] {
    let observer = engines[0]
    let last = try await observer.check()
    let (changes, sink) = AsyncStream.makeStream(of: SyncChange.self)
    let following = Task {
      try await observer.follow(after: 0) {
        if case .change(let change) = $0 { sink.yield(change) }
      }
    }
    defer { following.cancel() }
    var written: [[UInt8]] = []
    for await change in changes {
      for case (.value, let value?) in change.writes { written.append(value) }
      if change.revision >= last { break }
    }
    return written
  }
}

extension SyncSnapshot {
  fileprivate var values: [[UInt8]: [UInt8]] {
    var values: [[UInt8]: [UInt8]] = [:]
    for case (.value(let key), let item) in items { values[key] = item.value }
    return values
  }
}
