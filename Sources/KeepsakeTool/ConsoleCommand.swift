import ArgumentParser
import Keepsake
import KeepsakeConsole

struct ConsoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console", abstract: "Serves a page that shows all of it live.")

  @OptionGroup var options: AppOptions
  @Option(help: "The port; a free one by default.") var port: UInt16 = 0

  func run() async throws {
    let settings = try options.settings()
    let console = try Console(container: options.container, settings: settings)
    try await console.run(on: port) { address in
      tell("The console is at \(address)")
    }
  }
}
