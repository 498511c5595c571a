import ArgumentParser
import Foundation
import Keepsake
import KeepsakeConfiguration
@_spi(Tool) import KeepsakeConsole
import SystemPackage

struct ConsoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console", abstract: "Shows all of it as it changes, here and in a page.",
    discussion: "Type 'help' to see what can be done from here; the end of the input ends it.")

  @OptionGroup var options: AppOptions
  @Option(help: "The page's port; by default the same each time, or the next free one.") var port:
    UInt16?
  @Option(help: "The app's configuration: a property list, JSON or YAML.")
  var configurationFile: String?
  @Option(help: "Where the configuration's overrides are kept.") var overrides: String?
  @Option(help: "The configuration's environment.") var environment: String?

  func run() async throws {
    let console = try Console(
      container: options.container, settings: try options.settings(),
      configuration: try configuration())
    let page = Task {
      try await console.run(on: port) { address in tell("The console is at \(address)") }
    }
    defer { page.cancel() }
    // A script's output is the answers to its lines alone.
    try await console.runInTerminal(
      lines: Self.lines(), isWatching: isatty(STDIN_FILENO) != 0, write: tell)
  }

  /// What is typed, read by a thread that may wait for it.
  private static func lines() -> AsyncThrowingStream<String, any Error> {
    let (lines, input) = AsyncThrowingStream<String, any Error>.makeStream()
    let thread = Thread {
      while let line = readLine() { input.yield(line) }
      input.finish()
    }
    thread.start()
    return lines
  }

  private func configuration() throws -> EnvironmentConfiguration? {
    try configurationFile.map { file in
      try EnvironmentConfiguration(
        file: FilePath(file), environment: environment, overrides: overrides.map { FilePath($0) },
        arguments: [])
    }
  }
}
