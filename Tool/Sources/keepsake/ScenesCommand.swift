import ArgumentParser
import Keepsake
@_spi(Tool) import KeepsakeConsole
import SystemPackage

struct ScenesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenes", abstract: "Prints what each window of an app shows.")

  @OptionGroup var options: AppOptions

  func run() throws {
    let directory = options.container.savedState
    guard try LocalFileSystem().information(at: directory.appending("Scenes.plist")) != nil else {
      throw ValidationError("There are no scenes of '\(options.app)' in \(directory).")
    }
    let sessions = try SceneSessions(container: options.container) { warn("\($0)") }
    for session in sessions.sessions {
      print(session.id)
      for name in session.store.names {
        let key = SettingsKey<PropertyList.Value?>(name)
        guard let value = try session.store.value(for: key) else { continue }
        print("  \(SettingText.quoted(name)) = \(SettingText.line(of: value))")
      }
    }
  }
}
