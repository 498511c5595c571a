import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage

/// A process that uses the library as its command line says, and writes a line for each step that
/// is done; a line that begins with an exclamation mark is a problem that a store reported.
///
/// `--user NUMBER` before the command makes it run as that user.
@main struct SettingsWorker {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "--user", let user = UInt32(arguments[1]) {
      guard setgid(user) == 0, setuid(user) == 0 else {
        say("! cannot become user \(user)")
        exit(1)
      }
      arguments.removeFirst(2)
    }
    do {
      try await run(arguments.removeFirst(), arguments)
    } catch {
      say("! \(error)")
      exit(1)
    }
  }

  private static func run(_ command: String, _ arguments: [String]) async throws {
    switch command {
    case "write":
      try write(
        openStore(arguments[0]), prefix: arguments[1], from: Int(arguments[2])!,
        count: Int(arguments[3])!)
    case "increment":
      try increment(openStore(arguments[0]), key: arguments[1], count: Int(arguments[2])!)
    case "hold":
      try hold(openStore(arguments[0]), key: arguments[1], value: arguments[2])
    case "exit-inside":
      try exitInside(openStore(arguments[0]), openStore(arguments[0]), key: arguments[1])
    case "exit-beside":
      try exitBeside(openStore(arguments[0]), openStore(arguments[0]), key: arguments[1])
    case "watch":
      try await watch(openStore(arguments[0]), key: arguments[1], until: Int(arguments[2])!)
    case "serve":
      try serve(openStore(arguments[0]))
    case "share":
      try await share(
        openStore(arguments[0]), through: arguments[2], namespace: arguments[3],
        addresses: Array(arguments[4...]), daysAhead: Int(arguments[1])!)
    case "serve-polling":
      exhaustWatches()
      try serve(openStore(arguments[0]))
    case "coordinate":
      try coordinate(
        FilePath(arguments[0]), counting: FilePath(arguments[1]), count: Int(arguments[2])!)
    case "lock":
      try lock(FilePath(arguments[0]))
    case "append":
      try append(FilePath(arguments[0]), number: UInt8(arguments[1])!, count: Int(arguments[2])!)
    case "fork-and-end":
      try forkAndEnd(FilePath(arguments[0]))
    case "fork-lock":
      try forkLock(FilePath(arguments[0]))
    case "set-endlessly":
      let store = try openStore(arguments[0])
      let key = SettingsKey(arguments[1], default: 0)
      for number in 0... {
        try store.set(number, for: key)
        if number == 100 { say("ready") }
      }
    case "fork-set":
      try forkSet(openStore(arguments[0]))
    case "report-problem":
      let store = SettingsStore.inMemory { problem in
        usleep(100_000)
        writeLine("! \(problem.code)")
      }
      store[SettingsKey("k", default: "")] = "text"
      _ = store[SettingsKey("k", default: 1)]
      exit(0)
    case "write-with-signals":
      try writeWithSignals(FilePath(arguments[0]), count: Int(arguments[1])!)
    case "replace-within":
      try replace(FilePath(arguments[0]), within: UInt64(arguments[1])!, count: Int(arguments[2])!)
    case "resolve-bookmark":
      resolveBookmark(arguments[0], searching: FilePath(arguments[1]))
    default:
      say("! unknown command '\(command)'")
      exit(1)
    }
  }

  static func openStore(_ root: String) throws -> SettingsStore {
    try SettingsStore(
      container: AppContainer(root: FilePath(root), identifier: workerIdentifier), arguments: []
    ) { problem in
      writeLine("! \(problem.code) \(problem)")
    }
  }
}

/// Writes a line, after those of the problems reported before.
func say(_ line: String) {
  ProblemReports.wait()
  writeLine(line)
}

/// Writes a line at once, in one call.
func writeLine(_ line: String) {
  _ = try? FileDescriptor.standardOutput.writeAll("\(line)\n".utf8)
}
