#if Commands
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// What a shell offers for the word at the cursor.
struct Completion {
  private let words: [String]

  /// - Parameter words: The command line so far.
  init(_ words: [String]) { self.words = words }

  private var root: FilePath? {
    for (word, next) in zip(words, words.dropFirst()) where word == "--root" {
      return FilePath(next)
    }
    return words.first { $0.hasPrefix("--root=") }.map { FilePath(String($0.dropFirst(7))) }
  }

  /// The apps that have settings.
  var apps: [String] { SettingsDomains(root: root).names }

  /// The settings of the app that the command line names.
  func keys<App: AppSelection>(of app: App.Type) -> [String] {
    guard let container = container(of: app),
      let store = try? SettingsStore(
        container: container, arguments: [], fileSystem: ReadOnlyFileSystem(),
        onProblem: { _ in })
    else { return [] }
    return store.names
  }

  /// The container of an app that is named after two words of the command, or of this app.
  private func container<App: AppSelection>(of app: App.Type) -> AppContainer? {
    if app == ThisApp.self {
      let main = AppContainer.main
      return root.map { AppContainer(root: $0, identifier: main.identifier) } ?? main
    }
    let plain = words.dropFirst().filter { !$0.hasPrefix("-") && $0 != root?.string }
    guard plain.count > 2 else { return nil }
    let name = plain[plain.startIndex + 2]
    return root.map { AppContainer(root: $0, identifier: name) } ?? AppContainer(identifier: name)
  }
}
#endif
