#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The directories of an app.
struct DirectoriesCommand<App: AppSelection>: AppCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "directories", abstract: "Print where an app keeps what.", aliases: ["folders"])
  }

  @OptionGroup var app: App
  @Flag(help: "Print a JSON object.") var json = false

  func perform(_ output: Output) async throws {
    let container = app.container
    let directories = [
      ("documents", container.documents), ("settings", container.preferencesFile()),
      ("application support", container.applicationSupport), ("scenes", container.savedState),
      ("caches", container.caches), ("temporary", container.temporary),
    ]
    if json {
      var object = JSON.Object()
      for (name, path) in directories { object[name] = .string(path.string) }
      return try output.json(.object(object))
    }
    for (name, path) in directories {
      try output.line(name + String(repeating: " ", count: 21 - name.count) + path.string)
    }
  }
}
#endif
