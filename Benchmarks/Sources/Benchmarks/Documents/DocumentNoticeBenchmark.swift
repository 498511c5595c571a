import Foundation
import Glibc
import Keepsake

/// How long it takes until a program knows of a change that another process made in a directory of
/// documents, and how long until a document of such a directory is open.
enum DocumentNoticeBenchmark: Benchmark {
  static let name = "noticing"
  private static let keepsake = "Keepsake, AsyncSequence"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    var rows: [Row] = []
    for count in options.isQuick ? [1000] : [1000, 10_000, 100_000] {
      rows += try await self.rows(count, options, in: workspace)
    }
    return rows
  }

  private static func rows(
    _ count: Int, _ options: Options, in workspace: Workspace
  ) async throws -> [Row] {
    let name = "noticing-\(count)"
    let path = DocumentFixture.directory(name, in: workspace)
    let files = try directory(of: count, at: path)
    let spare = "\(path)-spare"
    try FileManager.default.createDirectory(atPath: spare, withIntermediateDirectories: true)
    let number = count.formatted(.number.grouping(.automatic).locale(Locale(identifier: "en_US")))
    let rounds = Rounds(budget: options.isQuick ? 1 : 10, turn: 0, least: 3)

    let opening = try await rounds.run([
      Contestant(name: "Keepsake", batch: 1) { _ in
        let start = Clock.wall.now
        let store = try DocumentFixture.store(name, in: workspace)
        let live = try store.open(SampleCard.number(0).id)
        let seconds = Clock.wall.now - start
        guard live.value == SampleCard.number(0) else { throw WrongResult(name: "Keepsake") }
        try store.close()
        return seconds
      }
    ])

    let observer = try start(.documents, name)
    let watcher = try start(.directory, path)
    let measurements = try await rounds.run([
      contestant(keepsake, observer, replacing: files, from: spare, beside: watcher),
      contestant("floor: inotify", watcher, replacing: files, from: spare, beside: observer),
    ])
    try observer.end()
    try watcher.end()
    return measurements.rows(
      "a change by another process, in a directory of \(number) documents", reference: keepsake,
      targets: [Target(name: keepsake, limit: .seconds(10e-3))])
      + opening.rows("open one of \(number) documents and watch", reference: "Keepsake")
  }

  /// Writes documents into a directory.
  ///
  /// - Returns: The paths of some of them.
  private static func directory(of count: Int, at path: String) throws -> [String] {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var paths: [String] = []
    for number in 0..<count {
      let card = SampleCard.number(number)
      let file = "\(path)/\(card.id.uuidString).\(SampleCard.pathExtension)"
      try card.text.write(to: URL(fileURLWithPath: file))
      if number < 100 { paths.append(file) }
    }
    return paths
  }

  private static func start(_ kind: ObservingChild.Kind, _ argument: String) throws -> Child {
    let child = try Child(.observe, [kind.rawValue, argument])
    guard try child.line() == "ready" else { throw CocoaError(.executableRuntimeMismatch) }
    return child
  }

  /// One turn is some changes, each made when the one before was seen by both children; its time is
  /// their median.
  private static func contestant(
    _ name: String, _ child: Child, replacing files: [String], from spare: String,
    beside other: Child
  ) -> Contestant {
    Contestant(name: name, batch: 5) { count in
      var latencies: [Double] = []
      for number in Numbers.take(count) {
        let (old, new) = ("\(spare)/\(number)", files[number % files.count])
        try Data(contentsOf: URL(fileURLWithPath: new)).write(to: URL(fileURLWithPath: old))
        // Long enough that the other process sleeps again, as it does between a person's changes.
        usleep(useconds_t.random(in: 1000...2000))
        let start = Clock.sharedNanoseconds
        guard rename(old, new) == 0, let line = try child.line(within: 60), let seen = Int(line),
          try other.line(within: 60) != nil
        else { throw CocoaError(.executableRuntimeMismatch) }
        latencies.append(Double(seen - start) / 1e9)
      }
      return latencies.quantile(0.5)
    }
  }
}
