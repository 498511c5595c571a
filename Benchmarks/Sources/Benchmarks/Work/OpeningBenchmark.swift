import Foundation
import Keepsake

/// What it costs to open settings that are at rest, and to read one of them.
enum OpeningBenchmark: Benchmark {
  static let name = "open"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    var rounds = options.rounds
    rounds.budget /= 2
    for size in OpeningChild.warmUp { try prepare(size, in: workspace) }
    return try await rows(1000, rounds, in: workspace) + rows(100_000, rounds, in: workspace)
  }

  private static func rows(
    _ size: Int, _ rounds: Rounds, in workspace: Workspace
  ) async throws -> [Row] {
    try prepare(size, in: workspace)
    var memory = Measurements()
    let contestants = OpeningChild.Kind.allCases.map { kind in
      Contestant(name: kind.title, batch: 1) { _ in
        let (seconds, bytes) = try OpeningChild.run(kind, size, in: workspace)
        memory.add(bytes, of: kind.title)
        return seconds
      }
    }
    let measurements = try await rounds.run(contestants)

    let keepsake = OpeningChild.Kind.keepsake.title
    let target =
      size == 1000
      ? Target(
        name: keepsake, limit: .times(0.45 / 2.9, of: OpeningChild.Kind.defaults.title),
        meaning: "0.45 ms beside 2.9 ms")
      : Target(name: keepsake, limit: .times(1, of: OpeningChild.Kind.database.title))
    let keys = size.formatted(.number.grouping(.automatic).locale(Locale(identifier: "en_US")))
    let times = measurements.rows("open \(keys) keys", reference: keepsake, targets: [target])
    if size < 100_000 { return times }
    return times + memory.rows("memory of \(keys) keys", reference: keepsake, unit: .bytes)
  }

  /// Puts settings at rest, as every contestant keeps them.
  private static func prepare(_ size: Int, in workspace: Workspace) throws {
    let fixture = Fixture(count: size)
    let name = OpeningChild.fixture(size)
    // Opened once, for the journal and the lock that a store at rest has beside it.
    _ = try fixture.store(name, in: workspace)[SettingsKey(Fixture.numberKey, default: 0)]
    try fixture.write(to: workspace.defaultsFile(name))
    _ = try fixture.database(name, in: workspace)
  }
}
