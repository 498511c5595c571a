import Foundation
import Keepsake

/// What a change costs that survives the death of the process, where other processes may write too.
enum WritingBenchmark: Benchmark {
  static let name = "set"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let fixture = Fixture(count: 1000)
    let settings = AppSettings(store: try fixture.store("set", in: workspace))
    let defaults = try fixture.defaults("set", in: workspace)
    let database = try fixture.database("set", in: workspace, isDurable: false)
    let lmdbDirectory = workspace.path("set.lmdb")
    try FileManager.default.createDirectory(
      atPath: lmdbDirectory, withIntermediateDirectories: true)
    let lmdb = try LMDBDatabase(path: lmdbDirectory)
    let plain = try RawFile(workspace.path("set.append"))
    let sought = try RawFile(workspace.path("set.sought"))
    let locked = try RawFile(workspace.path("set.locked"))

    let measurements = try await options.rounds.run([
      Contestant(name: "Keepsake, wrapper") { count in
        Clock.wall.time(of: count) { settings.number = $0 }
      },
      Contestant(name: "UserDefaults + synchronize") { count in
        Clock.wall.time(of: count) {
          defaults.set($0, forKey: Fixture.numberKey)
          _ = defaults.synchronize()
        }
      },
      Contestant(name: "GRDB NORMAL") { count in
        try Clock.wall.time(of: count) { try database.set($0, for: Fixture.numberKey) }
      },
      Contestant(name: "LMDB, not flushed") { count in
        try Clock.wall.time(of: count) { try lmdb.set($0, for: Fixture.numberKey) }
      },
      Contestant(name: "floor: append") { count in
        try plain.empty()
        return try Clock.wall.time(of: count) { _ in try plain.append() }
      },
      Contestant(name: "floor: append + lseek") { count in
        try sought.empty()
        return try Clock.wall.time(of: count) { _ in try sought.appendAndSeek() }
      },
      Contestant(name: "floor: flock + append") { count in
        try locked.empty()
        return try Clock.wall.time(of: count) { _ in
          try locked.lock()
          try locked.append()
          try locked.unlock()
        }
      },
    ])
    return measurements.rows(
      "set that survives kill -9", reference: "Keepsake, wrapper",
      targets: [
        Target(
          name: "Keepsake, wrapper", limit: .times(1.3, of: "floor: append + lseek"),
          meaning: "what appending without a lock needs")
      ])
  }
}
