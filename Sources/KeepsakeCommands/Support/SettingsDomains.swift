#if Commands
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The apps that have settings in the user's directories, or below one directory.
struct SettingsDomains {
  let root: FilePath?

  /// The identifiers, sorted.
  var names: [String] {
    let files = ReadOnlyFileSystem()
    func contents(_ directory: FilePath) -> [String] {
      (try? files.contents(ofDirectory: directory)) ?? []
    }
    // On Linux each app has a directory of its own; below a root, and elsewhere, all share one.
    let container =
      root.map { AppContainer(root: $0, identifier: "x") } ?? AppContainer(identifier: "x")
    let shared = container.preferences
    let ownsDirectory = shared.lastComponent?.string == "x"
    let candidates =
      ownsDirectory
      ? contents(shared.removingLastComponent())
      : contents(shared).compactMap { Self.stem(of: $0) }
    return Set(candidates.compactMap { FileName.unescaping($0) }).filter { name in
      let own =
        root.map { AppContainer(root: $0, identifier: name) } ?? AppContainer(identifier: name)
      return !ownsDirectory || own.hasSettings
    }.sorted(by: PropertyList.precedes)
  }

  /// The app's part of the name of a property list or a journal.
  static func stem(of name: String) -> String? {
    if name.hasPrefix(".") { return nil }
    if name.hasSuffix(".plist") { return String(name.dropLast(6)) }
    guard let range = name.firstRange(of: ".journal-") else { return nil }
    return String(name[..<range.lowerBound])
  }
}

extension AppContainer {
  /// Whether a property list or a journal of settings exists: what was set lately is in a journal alone.
  var hasSettings: Bool { hasSettings(suite: nil) }

  func hasSettings(suite: String?) -> Bool {
    let file = preferencesFile(suite: suite)
    let journals = "\(file.stem ?? "").journal-"
    let directory = file.removingLastComponent()
    let names = (try? ReadOnlyFileSystem().contents(ofDirectory: directory)) ?? []
    return names.contains { $0 == file.lastComponent?.string || $0.hasPrefix(journals) }
  }
}
#endif
