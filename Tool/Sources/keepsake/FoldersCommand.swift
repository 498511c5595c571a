import ArgumentParser
import Keepsake
import SystemPackage

struct FoldersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folders", abstract: "Prints where an app keeps what.")

  @OptionGroup var options: AppOptions

  func run() {
    let container = options.container
    let folders = [
      ("documents", container.documents), ("settings", container.preferencesFile()),
      ("application support", container.applicationSupport), ("scenes", container.savedState),
      ("caches", container.caches), ("temporary", container.temporary),
    ]
    for (name, path) in folders {
      print(name + String(repeating: " ", count: 21 - name.count) + path.string)
    }
  }
}
