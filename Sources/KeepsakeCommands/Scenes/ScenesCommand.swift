#if Commands
import ArgumentParser
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeScenes
import KeepsakeSettings
import SystemPackage

/// The windows of an app.
struct ScenesCommand<App: AppSelection>: AppCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "scenes", abstract: "Print what each window of an app shows.")
  }

  @OptionGroup var app: App
  @Flag(help: "Print a JSON object.") var json = false

  func perform(_ output: Output) async throws {
    let container = app.container
    guard try LocalFileSystem().information(at: container.savedState) != nil else {
      throw CommandError(
        .missing, "There are no scenes of '\(container.identifier)' in \(container.savedState).")
    }
    let sessions = try SceneSessions(container: container, fileSystem: ReadOnlyFileSystem()) {
      if $0.code != .notWritten { output.warn("\($0)") }
    }
    var all = JSON.Object()
    for session in sessions.sessions {
      let values = session.store.ownValues
      if json {
        var object = JSON.Object()
        for (key, value) in values { object[key] = JSON.Value(value) }
        all[session.id] = .object(object)
        continue
      }
      try output.line(SettingText.visible(session.id))
      for (key, value) in values {
        try output.line("  \(SettingText.quoted(key)) = \(SettingText.line(of: value))")
      }
    }
    if json { try output.json(.object(all)) }
  }
}
#endif
