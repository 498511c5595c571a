import ArgumentParser
import Keepsake
import SystemPackage

struct DirectoriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "directories", abstract: "Prints where an app keeps what.")

  @OptionGroup var options: AppOptions

  func run() {
    let container = options.container
    let directories = [
      ("documents", container.documents), ("settings", container.preferencesFile()),
      ("application support", container.applicationSupport), ("scenes", container.savedState),
      ("caches", container.caches), ("temporary", container.temporary),
    ]
    for (name, path) in directories {
      print(name + String(repeating: " ", count: 21 - name.count) + path.string)
    }
  }
}
