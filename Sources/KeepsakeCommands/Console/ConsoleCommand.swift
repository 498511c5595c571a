#if Commands && Console
import ArgumentParser
import Foundation
import KeepsakeBase
import KeepsakeConfiguration
import KeepsakeConsole
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// The console of an app.
struct ConsoleCommand<App: AppSelection>: AppCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "console", abstract: "Show everything as it changes, here and in a page.",
      discussion: "'help' lists what can be typed; the end of the input ends the console.")
  }

  @OptionGroup var app: App
  @Option(help: "The page's port; by default the same each time, or the next free one.")
  var port: UInt16?
  @Option(
    help: "The app's configuration: a property list, JSON or YAML.", completion: .file())
  var configurationFile: String?
  @Option(help: "The file of the configuration's overrides.", completion: .file())
  var overrides: String?
  @Option(help: "The configuration's environment.") var environment: String?

  func perform(_ output: Output) async throws {
    let container = app.container
    guard container.hasSettings else {
      throw CommandError(
        .missing,
        "There are no settings of '\(container.identifier)': no file is at \(container.preferencesFile())."
      )
    }
    let settings = try SettingsStore(container: container, arguments: []) { output.warn("\($0)") }
    let console = try Console(
      container: container, settings: settings, configuration: try configuration())
    let page = Task {
      try await console.run(on: port) { address in
        try? output.line("The console is at \(address)")
      }
    }
    defer { page.cancel() }
    // A script's output contains only the answers to its lines.
    try await console.runInTerminal(
      lines: Self.lines(), isWatching: isatty(STDIN_FILENO) != 0
    ) { line in
      try? output.line(line)
    }
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
#endif
