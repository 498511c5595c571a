import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The directories of the workers' app, in a directory for one test.
struct WorkerDirectory {
  let root: FilePath
  /// The only path of the directory in the mount namespace of each worker.
  let mountPoint: FilePath?

  init(_ root: FilePath, mountedAt mountPoint: FilePath? = nil) {
    self.root = root
    self.mountPoint = mountPoint
  }

  var container: AppContainer { AppContainer(root: root, identifier: workerIdentifier) }
  var path: FilePath { container.preferences }
  var propertyList: FilePath { container.preferencesFile() }
  /// The journals, the newest last.
  var journals: [FilePath] {
    get throws {
      try LocalFileSystem().contents(ofDirectory: path)
        .filter { $0.contains(".journal-") && !$0.contains("damaged") }
        .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        .map { path.appending($0) }
    }
  }
  var lock: FilePath { path.appending("\(workerIdentifier).lock") }

  /// The file with an extension; of several journals, the newest.
  func path(of file: String) throws -> FilePath {
    if file == "journal" { return try journals.last ?? path.appending("no journal") }
    return path.appending("\(workerIdentifier).\(file)")
  }

  /// Starts a worker on the directory.
  func worker(_ command: String, _ arguments: String...) throws -> Worker {
    guard let mountPoint else { return try Worker([command, root.string] + arguments) }
    let script = #"mount --bind "$1" "$2" && mount -t tmpfs none "$1" && shift 2 && exec "$@""#
    return try Worker(
      [command, mountPoint.string] + arguments,
      launchedBy: [
        "unshare", "--mount", "sh", "-c", script, "sh", root.string, mountPoint.string,
      ])
  }

  /// Starts a worker that executes commands, and waits until it is ready.
  func server() throws -> Worker {
    let worker = try worker("serve")
    #expect(try worker.readLine() == "ready")
    return worker
  }

  /// Opens the settings in this process.
  func open(_ problems: Problems) throws(SettingsError) -> SettingsStore {
    try SettingsStore(container: container, arguments: []) { problems.add($0) }
  }

  /// The text of the property list, without opening the store.
  func textOfPropertyList() throws -> String {
    String(decoding: try LocalFileSystem().readFile(at: propertyList) ?? [], as: UTF8.self)
  }
}
