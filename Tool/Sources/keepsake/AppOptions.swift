import ArgumentParser
import Keepsake
import SystemPackage

/// Which app a command is about.
struct AppOptions: ParsableArguments {
  @Argument(help: "The app's identifier.") var app: String

  @Option(help: "The one directory that holds all of the app's, where it was started with one.")
  var root: String?

  var container: AppContainer {
    if let root { return AppContainer(root: FilePath(root), identifier: app) }
    return AppContainer(identifier: app)
  }

  /// The app's settings.
  ///
  /// - Throws: Where there are none: a name that was mistyped must make no files.
  func settings() throws -> SettingsStore {
    let file = container.preferencesFile()
    // What was set lately is in a journal alone.
    let journals = "\(file.stem ?? "").journal-"
    let names = (try? LocalFileSystem().contents(ofDirectory: container.preferences)) ?? []
    guard names.contains(where: { $0 == file.lastComponent?.string || $0.hasPrefix(journals) })
    else {
      throw ValidationError("There are no settings of '\(app)': no file is at \(file).")
    }
    return try SettingsStore(container: container, arguments: []) { problem in
      warn("\(problem)")
    }
  }
}

/// Writes a line to those who look at the terminal, and not into the output.
func warn(_ line: String) {
  _ = try? FileDescriptor.standardError.writeAll("\(line)\n".utf8)
}

/// Writes a line at once, whoever reads.
func tell(_ line: String) {
  _ = try? FileDescriptor.standardOutput.writeAll("\(line)\n".utf8)
}
