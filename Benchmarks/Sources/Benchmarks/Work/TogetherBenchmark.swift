import Keepsake

/// How much cheaper durable changes become when many tasks make them at once.
enum TogetherBenchmark: Benchmark {
  static let name = "together"
  private static let writers = 32

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let fixture = Fixture(count: 1000)
    let store = try fixture.store("together", in: workspace)
    let database = try fixture.database("together", in: workspace, isDurable: true)

    let keepsake: @Sendable (Int, Int) async throws -> Void = { writer, number in
      try store.set(number, for: SettingsKey(Fixture.name(writer), default: 0))
      try await store.synchronize()
    }
    let grdb: @Sendable (Int, Int) async throws -> Void = { writer, number in
      try await database.setAsynchronously(number, for: Fixture.name(writer))
    }
    let measurements = try await options.rounds.run([
      Contestant("Keepsake, one writer", 1, keepsake),
      Contestant("Keepsake, 32 writers", writers, keepsake),
      Contestant("GRDB FULL, one writer", 1, grdb),
      Contestant("GRDB FULL, 32 writers", writers, grdb),
    ])
    return measurements.rows(
      "durable set, by tasks", reference: "Keepsake, one writer",
      targets: [
        Target(
          name: "Keepsake, 32 writers", limit: .times(0.1, of: "Keepsake, one writer"),
          meaning: "10 × as many a second")
      ])
  }
}
