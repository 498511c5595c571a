import ArgumentParser

/// Looks at what an app keeps, and changes it, while the app runs or not.
@main struct KeepsakeTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keepsake",
    abstract: "Looks at what an app keeps, and changes it, while it runs or not.",
    discussion: """
      APP is what the app is called among all apps, such as com.example.HIITFit. A running app hears \
      of every change at once.
      """,
    version: version,
    subcommands: [
      DirectoriesCommand.self, SettingsCommand.self, ScenesCommand.self, ConsoleCommand.self,
    ])
}
