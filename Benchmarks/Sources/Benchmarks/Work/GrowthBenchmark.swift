import Foundation
import Keepsake

/// Whether a change costs more the more settings there are.
enum GrowthBenchmark: Benchmark {
  static let name = "growth"
  private static let sizes = [10, 1000, 100_000, 1_000_000]
  /// The most keys that one set of UserDefaults takes less than seconds with.
  private static let largestPeer = 100_000

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    var keepsake: [Contestant] = []
    var peers: [Contestant] = []
    for size in sizes {
      let fixture = Fixture(count: size)
      let settings = AppSettings(store: try fixture.store("growth-\(size)", in: workspace))
      keepsake.append(
        Contestant(name: title("Keepsake", size)) { count in
          Clock.wall.time(of: count) { settings.number = $0 }
        })
      if size > largestPeer { continue }
      let defaults = try fixture.defaults("growth-\(size)", in: workspace)
      peers.append(
        Contestant(name: title("UserDefaults + synchronize", size)) { count in
          Clock.wall.time(of: count) {
            defaults.set($0, forKey: Fixture.numberKey)
            _ = defaults.synchronize()
          }
        })
    }
    // Each beside its own other sizes: what is asked is how one grows, not which is faster.
    return try await half(options, keepsake, of: "Keepsake", isTarget: true)
      + half(options, peers, of: "UserDefaults + synchronize", isTarget: false)
  }

  private static func half(
    _ options: Options, _ contestants: [Contestant], of name: String, isTarget: Bool
  ) async throws -> [Row] {
    var rounds = options.rounds
    rounds.budget /= 2
    let small = title(name, sizes[0])
    return try await rounds.run(contestants).rows(
      "set as the store grows", reference: small,
      targets: isTarget
        ? sizes.dropFirst().map {
          Target(name: title(name, $0), limit: .times(1.3, of: small), meaning: "flat")
        } : [])
  }

  private static func title(_ name: String, _ size: Int) -> String { "\(name), \(size) keys" }
}
