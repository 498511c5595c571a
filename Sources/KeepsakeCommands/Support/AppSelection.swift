#if Commands
import ArgumentParser
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// The arguments that determine which app a command is about.
protocol AppSelection: ParsableArguments, Sendable {
  var container: AppContainer { get }
}

/// The app that is named by the first argument.
struct NamedApp: AppSelection {
  @Argument(
    help: "The app's identifier, such as com.example.HIITFit.",
    completion: .custom { words, _, _ in Completion(words).apps })
  var app: String

  @Option(
    help: "The directory that the app was started with as its root.",
    completion: .directory)
  var root: String?

  var container: AppContainer {
    if let root { return AppContainer(root: FilePath(root), identifier: app) }
    return AppContainer(identifier: app)
  }

  func validate() throws {
    if app.isEmpty { throw ValidationError("The app's identifier is empty.") }
  }
}

/// The app that contains the commands.
struct ThisApp: AppSelection {
  @Option(
    help: "Another root than the usual directories.",
    completion: .directory)
  var root: String?

  var container: AppContainer {
    let main = AppContainer.main
    return root.map { AppContainer(root: FilePath($0), identifier: main.identifier) } ?? main
  }
}
#endif
