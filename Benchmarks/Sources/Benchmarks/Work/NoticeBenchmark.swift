import Foundation
import Keepsake

/// How long it takes until another process knows of a change.
enum NoticeBenchmark: Benchmark {
  static let name = "notice"
  private static let work = "a change seen in another process"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let store = try Fixture(count: 1000).store("notice", in: workspace)
    let key = SettingsKey(Fixture.numberKey, default: 0)
    let observer = try start(.keepsake, "notice")
    let path = workspace.path("notice.append")
    let file = try RawFile(path)
    let watcher = try start(.inotify, path)

    var samples: [Double] = []
    let measurements = try await options.rounds.run([
      try contestant("Keepsake, AsyncSequence", observer) {
        store[key] = Clock.sharedNanoseconds
      } seen: {
        samples.append($0)
      },
      try contestant("floor: inotify + append", watcher) {
        try file.append(Clock.sharedNanoseconds)
      } seen: { _ in
      },
    ])
    try observer.end()
    try watcher.end()

    let keepsake = measurements.names[0]
    var rows = measurements.rows(
      work, reference: keepsake,
      targets: [Target(name: keepsake, limit: .seconds(100e-6))])
    rows.insert(
      Row(work: work, name: "Keepsake, 9 of 10 within", amount: samples.quantile(0.9)), at: 1)
    return try rows + [
      defaults(.defaults, "UserDefaults, waiting", options, in: workspace),
      defaults(.defaultsPolled, "UserDefaults, synchronize() each ms", options, in: workspace),
    ]
  }

  private static func start(_ kind: ObservingChild.Kind, _ argument: String) throws -> Child {
    let child = try Child(.observe, [kind.rawValue, argument])
    guard try child.line() == "ready" else { throw CocoaError(.executableRuntimeMismatch) }
    return child
  }

  /// One turn is some changes, each made when the one before was seen; its time is their median.
  private static func contestant(
    _ name: String, _ child: Child, change: @escaping () throws -> Void,
    seen: @escaping (Double) -> Void
  ) throws -> Contestant {
    Contestant(name: name, batch: 15) { count in
      var latencies: [Double] = []
      for _ in 0..<count {
        // Long enough that the other process sleeps again, as it does between a person's changes.
        usleep(useconds_t.random(in: 1000...2000))
        try change()
        guard let line = try child.line(within: 10), let nanoseconds = Double(line) else {
          throw CocoaError(.executableRuntimeMismatch)
        }
        latencies.append(nanoseconds / 1e9)
        seen(nanoseconds / 1e9)
      }
      return latencies.quantile(0.5)
    }
  }

  /// Foundation's own settings, which are given some time to be sure.
  private static func defaults(
    _ kind: ObservingChild.Kind, _ name: String, _ options: Options, in workspace: Workspace
  ) throws -> Row {
    let patience = options.isQuick ? 0.5 : 3
    let defaults = try Fixture(count: 1000).defaults("notice-\(kind)", in: workspace)
    let child = try start(kind, "notice-\(kind)")
    defaults.set(Clock.sharedNanoseconds, forKey: Fixture.numberKey)
    _ = defaults.synchronize()
    let line = try child.line(within: patience)
    try child.end()
    return Row(
      work: work, name: name, amount: line.flatMap { Double($0) }.map { $0 / 1e9 },
      remark: line == nil ? "never (in \(patience) s)" : nil)
  }
}
