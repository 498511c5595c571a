#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// The settings of an app.
struct SettingsCommand<App: AppSelection>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    var commands: [any ParsableCommand.Type] = [
      List.self, Get.self, Set.self, Append.self, TypeOf.self, Rename.self, Find.self, Remove.self,
      Reset.self, Watch.self, Import.self, Export.self, Explain.self, Preserved.self,
      Restore.self, Check.self,
    ]
    if App.self == NamedApp.self { commands.insert(Domains.self, at: 0) }
    return CommandConfiguration(
      commandName: "settings", abstract: "List, change, watch, import and export settings.",
      discussion: """
        A running app receives each change immediately. A value that begins with '-' is written \
        after '--'.
        """,
      subcommands: commands)
  }

  /// The arguments of all these commands.
  struct Options: ParsableArguments {
    @OptionGroup var app: App

    @Option(help: "The name of a suite, instead of the app's own settings.")
    var suite: String?

    /// Opens the settings so that nothing is created or changed.
    ///
    /// - Parameter onProblem: Receives damage; by default it is a warning.
    func reading(
      _ output: Output, onProblem: (@Sendable (SettingsError) -> Void)? = nil
    ) throws -> SettingsStore {
      try open(ReadOnlyFileSystem(), creating: false) { problem in
        // That they are not writable is intended.
        if problem.code == .notWritten { return }
        if let onProblem { onProblem(problem) } else { output.warn("\(problem)") }
      }
    }

    /// Opens the settings for changes.
    ///
    /// - Parameter creating: Whether an app without settings gets some: a mistyped name should not.
    func writing(_ output: Output, creating: Bool = false) throws -> SettingsStore {
      try open(LocalFileSystem(), creating: creating) { output.warn("\($0)") }
    }

    private func open(
      _ fileSystem: some FileSystem, creating: Bool,
      onProblem: @escaping @Sendable (SettingsError) -> Void
    ) throws -> SettingsStore {
      let container = app.container
      guard creating || container.hasSettings(suite: suite) else {
        throw CommandError(
          .missing,
          """
          There are no settings of '\(suite ?? container.identifier)': no file is at \
          \(container.preferencesFile(suite: suite)).
          """)
      }
      return try SettingsStore(
        container: container, suite: suite, arguments: [], fileSystem: fileSystem,
        onProblem: onProblem)
    }

    /// The value of a setting.
    func value(of name: String, in store: SettingsStore) throws -> PropertyList.Value {
      guard let value = try store.value(for: SettingsKey.any(name)) else {
        throw CommandError(.missing, "'\(app.container.identifier)' has no setting '\(name)'.")
      }
      return value
    }
  }
}

extension SettingsKey where Value == PropertyList.Value? {
  /// A setting of any type.
  static func any(_ name: String) -> SettingsKey { SettingsKey(name) }
}
#endif
