/// One question that is measured, and answered by some rows of the table.
protocol Benchmark: SendableMetatype {
  /// What it is asked for by on the command line.
  static var name: String { get }

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row]
}
