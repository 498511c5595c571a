import Dispatch
import Foundation
import Keepsake

/// How long a change waits at most while the property list is rewritten.
enum RewritingBenchmark: Benchmark {
  static let name = "rewriting"
  private static let sets = 10_000

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let store = try Fixture(count: 100_000).store("rewriting", in: workspace)
    let key = SettingsKey(Fixture.numberKey, default: 0)
    let raw = try RawFile(workspace.path("rewriting.append"))
    var rounds = options.rounds
    rounds.budget = 0
    let measurements = try await rounds.run([
      Contestant(name: "Keepsake, slowest of 10,000", batch: 1) { _ in
        store[key] = Numbers.take(1).lowerBound
        let rewriting = DispatchGroup()
        DispatchQueue.global().async(group: rewriting) { try? store.save() }
        // As many as there are while the property list is written, and all of them.
        return try slowest(atLeast: sets) {
          try store.set($0, for: key)
          return rewriting.wait(timeout: .now()) == .timedOut
        }
      },
      Contestant(name: "floor: append, slowest of 10,000", batch: 1) { _ in
        try raw.empty()
        return try slowest(atLeast: sets) { _ in
          try raw.append()
          return false
        }
      },
    ])
    let keepsake = measurements.names[0]
    return measurements.rows(
      "set while 100,000 keys are rewritten", reference: keepsake,
      targets: [Target(name: keepsake, limit: .seconds(5e-3))])
  }

  /// The longest time of some calls, which go on as long as one says so.
  private static func slowest(
    atLeast count: Int, _ body: (Int) throws -> Bool
  ) rethrows -> Double {
    var slowest = 0.0
    var made = 0
    var goesOn = true
    while goesOn || made < count {
      let number = Numbers.take(1).lowerBound
      let start = Clock.wall.now
      goesOn = try body(number)
      slowest = max(slowest, Clock.wall.now - start)
      made += 1
    }
    return slowest
  }
}
