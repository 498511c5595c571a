import Foundation

/// What a change costs while processes and threads change the same settings, each its own key.
enum ProcessesBenchmark: Benchmark {
  static let name = "processes"
  private static let processes = 4

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    try FileManager.default.createDirectory(
      atPath: workspace.path("processes.lmdb"), withIntermediateDirectories: true)
    let kinds = WritingChild.Kind.allCases
    let children = try kinds.map { kind in
      try (0..<processes).map { number in
        let child = try Child(.write, [kind.rawValue, "processes.\(kind)", "\(number)"])
        try expect("ready", of: child)
        return child
      }
    }
    // Longer turns than elsewhere: sixteen threads have to be woken.
    let rounds = Rounds(budget: options.rounds.budget, turn: 0.1, least: options.rounds.least)
    let measurements = try await rounds.run(
      zip(kinds, children).map { kind, children in
        Contestant(name: kind.title) { count in
          let start = Clock.wall.now
          for child in children { try child.tell("\(count)") }
          for child in children { try expect("done", of: child) }
          return (Clock.wall.now - start) / Double(count * processes * WritingChild.threads)
        }
      })
    for child in children.joined() { try child.end() }
    let keepsake = WritingChild.Kind.keepsake.title
    return measurements.rows(
      "set, 4 processes of 4 threads", reference: keepsake,
      targets: [Target(name: keepsake, limit: .times(1, of: WritingChild.Kind.lmdb.title))])
  }

  private static func expect(_ answer: String, of child: Child) throws {
    guard let line = try child.line(), line == answer else {
      throw CocoaError(.executableRuntimeMismatch)
    }
  }
}
