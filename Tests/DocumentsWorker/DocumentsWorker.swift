import KeepsakeBase
import KeepsakeDocuments
import KeepsakeTestSupport
import SystemPackage

/// A process that keeps documents as its command line says, and writes a line for all that it was
/// told is done; a line that begins with an exclamation mark is a problem that its store reported.
@main struct DocumentsWorker {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try await run(arguments.removeFirst(), arguments)
    } catch {
      say("! \(error)")
      exit(1)
    }
  }

  private static func run(_ command: String, _ arguments: [String]) async throws {
    let store = try DocumentStore<WrittenCard>(
      directory: FilePath(arguments[0]), pathExtension: cardExtension
    ) { problem in
      say("! \(problem.code) \(problem)")
    }
    switch command {
    case "write":
      try write(
        store, prefix: arguments[1], from: Int(arguments[2])!, count: Int(arguments[3])!)
    case "edit":
      try edit(store, card: arguments[1], editor: arguments[2], count: Int(arguments[3])!)
    case "edit-live":
      try editLive(store, card: arguments[1], editor: arguments[2], count: Int(arguments[3])!)
    case "edit-and-exit":
      try store.open(arguments[1]).edit { $0.text = arguments[2] }
    case "serve":
      try CardServer(store: store).run()
    default:
      say("! no command '\(command)'")
      exit(1)
    }
  }
}

/// Writes a line at once, in one call.
func say(_ line: String) {
  let line = line.split(separator: "\n").joined(separator: " ")
  _ = try? FileDescriptor.standardOutput.writeAll("\(line)\n".utf8)
}
