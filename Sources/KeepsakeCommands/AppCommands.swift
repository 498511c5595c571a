#if Commands
public import ArgumentParser
import KeepsakeBase
#if Secrets
public import KeepsakeSecrets
#endif

/// Commands that list, change, check and back up what an app keeps, while it runs or not.
///
/// An app adds them to its own:
///
/// ```swift
/// @main struct MyTool: AsyncParsableCommand {
///   static let configuration = CommandConfiguration(subcommands: AppCommands.ofThisApp)
/// }
/// ```
///
/// `secrets` is among them if the package's trait `Secrets` is on, `config` with `Configuration`, and
/// `console` with `Console`. Errors end the process with the codes of sysexits(3).
public enum AppCommands {
  #if Secrets
  /// The key of the app's secrets, for the commands of ``ofThisApp``, which otherwise ask for one.
  ///
  /// Set it before the commands run.
  public static var secretsKey: SecretsKey? {
    get { key.withLock { $0 } }
    set { key.withLock { $0 = newValue } }
  }

  private static let key = Mutex<SecretsKey?>(nil)
  #endif

  /// Commands about the app that contains them, whose directories are `AppContainer.main`.
  public static var ofThisApp: [any ParsableCommand.Type] { commands(ThisApp.self) }

  /// Commands whose first argument is the identifier of an app, as those of the tool `keepsake`.
  public static var ofAnyApp: [any ParsableCommand.Type] { commands(NamedApp.self) }

  private static func commands<App: AppSelection>(_ app: App.Type) -> [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = [
      SettingsCommand<App>.self, DocumentsCommand<App>.self, ScenesCommand<App>.self,
      DirectoriesCommand<App>.self,
    ]
    #if Secrets
    commands.append(SecretsCommand<App>.self)
    #endif
    #if Configuration
    commands.append(ConfigurationCommand.self)
    #endif
    #if Console
    commands.append(ConsoleCommand<App>.self)
    #endif
    commands += [BackupCommand<App>.self, RestoreCommand<App>.self]
    return commands
  }
}
#endif
