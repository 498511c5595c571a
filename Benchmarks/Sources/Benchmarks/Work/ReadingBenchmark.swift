import Foundation
import Keepsake

/// What it costs to read one whole number.
enum ReadingBenchmark: Benchmark {
  static let name = "get"
  private static let floor = "floor: Dictionary in a Mutex"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let fixture = Fixture(count: 1000)
    let store = try fixture.store("get", in: workspace)
    let settings = AppSettings(store: store)
    let key = SettingsKey(Fixture.numberKey, default: 0)
    let name = Fixture.numberKey
    let defaults = try fixture.defaults("get", in: workspace)
    let database = try fixture.database("get", in: workspace)
    let dictionary = LockedDictionary(count: 1000)

    let measurements = try await options.rounds.run([
      contestant("Keepsake, wrapper") { settings.number },
      contestant("Keepsake, by name") { store[key] },
      contestant("UserDefaults") { defaults.integer(forKey: name) },
      contestant("GRDB") { try database.number(name) },
      contestant(floor) { dictionary[name] },
    ])
    return measurements.rows(
      "get an Int of 1,000 keys", reference: "Keepsake, wrapper",
      targets: [
        Target(
          name: "Keepsake, wrapper", limit: .times(20.0 / 49, of: floor), meaning: "20 ns beside 49"
        ),
        Target(
          name: "Keepsake, by name", limit: .times(60.0 / 49, of: floor), meaning: "60 ns beside 49"
        ),
      ])
  }

  // Inlined, so that a read is what the loop does and not a call of a closure.
  @inline(__always)
  private static func contestant(
    _ name: String, _ read: @escaping () throws -> Int
  ) -> Contestant {
    Contestant(name: name) { count in
      var sum = 0
      let seconds = try Clock.thread.time(of: count) { _ in sum &+= try read() }
      Sink.check(sum, is: count * Fixture.number)
      return seconds
    }
  }
}
