#if Commands
import ArgumentParser

/// Brings back everything that a backup contains.
struct RestoreCommand<App: AppSelection>: AppCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "restore",
      abstract: "Bring back everything that a backup contains.",
      discussion: """
        An app that keeps something already is left alone unless --replace is given. Then its \
        settings are those of the backup, and files of the same names are replaced; other files \
        stay. The whole archive is read before anything is changed.
        """)
  }

  @OptionGroup var app: App
  @Argument(help: "The archive; '-' reads the standard input.", completion: .file())
  var archive: String
  @Flag(help: "Replace what the app keeps now.") var replace = false

  func perform(_ output: Output) async throws {
    let restore = AppRestore(app.container, archive: archive, isReplacing: replace, output)
    try output.line("files restored: \(try await restore.run())")
  }
}
#endif
