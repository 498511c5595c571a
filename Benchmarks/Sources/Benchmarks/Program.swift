import Foundation
import Glibc

/// Measures Keepsake beside its peers, and prints a table.
@main
enum Program {
  static let benchmarks: [any Benchmark.Type] =
    [
      ReadingBenchmark.self, WritingBenchmark.self, DurableBenchmark.self, TogetherBenchmark.self,
      ProcessesBenchmark.self, RewritingBenchmark.self, OpeningBenchmark.self, GrowthBenchmark.self,
      NoticeBenchmark.self, SharingBenchmark.self,
    ] + documents + coding

  /// The parts that one word stands for in the command line.
  static let groups: [(name: String, parts: [any Benchmark.Type])] = [
    ("documents", documents), ("coding", coding),
  ]

  private static let documents: [any Benchmark.Type] = [
    LoadingBenchmark.self, SavingBenchmark.self, DocumentNoticeBenchmark.self,
  ]

  private static let coding: [any Benchmark.Type] = [
    DecodingBenchmark.self, EncodingBenchmark.self, StrategiesBenchmark.self,
    PropertyListBenchmark.self, LengthBenchmark.self, FirstUseBenchmark.self,
  ]

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let workspace = Workspace.inherited, let child = ChildRole.parse(arguments) {
      return try await child.role.run(child.arguments, in: workspace)
    }
    guard let options = Options(arguments) else {
      FileHandle.standardError.write(Data(Options.usage.utf8))
      exit(64)
    }
    guard let workspace = Workspace.inherited else {
      try Workspace.enter(parent: options.directory)
    }
    defer { try? workspace.remove() }
    try await measure(options, in: workspace)
  }

  private static func measure(_ options: Options, in workspace: Workspace) async throws {
    let machine = Machine.description(directory: workspace.directory)
    var rows: [Row] = []
    for benchmark in benchmarks where options.only.isEmpty || options.only.contains(benchmark.name)
    {
      FileHandle.standardError.write(Data("\(benchmark.name)…\n".utf8))
      rows += try await benchmark.rows(options, in: workspace)
    }
    let table = Table(rows: rows)
    print("\(machine)\n\n\(table.markdown)\n\n\(table.summary)")
  }
}
