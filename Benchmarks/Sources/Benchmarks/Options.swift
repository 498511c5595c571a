import Foundation

/// What the command line asks for.
struct Options {
  static let usage = """
    usage: Benchmarks [--quick] [--only NAME]… [--directory PATH]
      --quick        a run of less than a minute, which shows that all works and little more
      --only NAME    one of: \(names(of: Program.benchmarks));
    \(Program.groups.map { "                 or \($0.name): \(names(of: $0.parts))\n" }.joined())\
      --directory PATH  where data is kept during the run: a directory on the disk to be measured

    """

  private static func names(of benchmarks: [any Benchmark.Type]) -> String {
    benchmarks.map { $0.name }.joined(separator: ", ")
  }

  var isQuick = false
  var only: [String] = []
  /// Beside the program, in the build directory: on a disk, and never among the user's files.
  var directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path

  /// `nil` where the command line is not understood.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--only":
        guard let name = rest.popFirst() else { return nil }
        if let group = Program.groups.first(where: { $0.name == name }) {
          only += group.parts.map { $0.name }
          continue
        }
        guard Program.benchmarks.contains(where: { $0.name == name }) else { return nil }
        only.append(name)
      case "--directory":
        guard let path = rest.popFirst() else { return nil }
        directory = URL(fileURLWithPath: path).path
      default: return nil
      }
    }
  }

  /// The rounds that one benchmark may take.
  var rounds: Rounds {
    isQuick
      ? Rounds(budget: 1, turn: 0.001, least: 3) : Rounds(budget: 20, turn: 0.04, least: 5)
  }
}
