import Foundation
import Keepsake

/// What a change costs that survives a power cut when the call returns.
enum DurableBenchmark: Benchmark {
  static let name = "durable"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let fixture = Fixture(count: 1000)
    let store = try fixture.store("durable", in: workspace)
    let settings = AppSettings(store: store)
    let defaults = try fixture.defaults("durable", in: workspace)
    let database = try fixture.database("durable", in: workspace, isDurable: true)
    let raw = try RawFile(workspace.path("durable.append"))

    let measurements = try await options.rounds.run([
      Contestant(name: "Keepsake, set + synchronize") { count in
        try Clock.wall.time(of: count) {
          settings.number = $0
          try store.synchronizeAndWait()
        }
      },
      Contestant(name: "UserDefaults + synchronize") { count in
        Clock.wall.time(of: count) {
          defaults.set($0, forKey: Fixture.numberKey)
          _ = defaults.synchronize()
        }
      },
      Contestant(name: "GRDB FULL") { count in
        try Clock.wall.time(of: count) { try database.set($0, for: Fixture.numberKey) }
      },
      Contestant(name: "floor: append + fdatasync") { count in
        try Clock.wall.time(of: count) { _ in
          try raw.append()
          try raw.flush()
        }
      },
    ])
    return measurements.rows(
      "durable set", reference: "Keepsake, set + synchronize",
      targets: [
        Target(
          name: "Keepsake, set + synchronize", limit: .times(1.3, of: "floor: append + fdatasync"))
      ])
  }
}
