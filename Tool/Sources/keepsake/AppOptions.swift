import ArgumentParser
import Keepsake
import SystemPackage

/// Which app a command is about.
struct AppOptions: ParsableArguments {
  @Argument(help: "The app's identifier.") var app: String

  @Option(help: "The one folder that holds all of the app's, where it was started with one.")
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
    let files = [file, file.replacingExtension("journal")]
    guard try files.contains(where: { try LocalFileSystem().information(at: $0) != nil }) else {
      throw ValidationError("There are no settings of ‘\(app)’: no file is at \(file).")
    }
    return try SettingsStore(container: container, arguments: []) { problem in
      warn("\(problem)")
    }
  }
}

extension FilePath {
  fileprivate func replacingExtension(_ suffix: String) -> FilePath {
    var path = self
    path.extension = suffix
    return path
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
