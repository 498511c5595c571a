import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The directories of the app that workers are, in a directory of one test's own.
struct WorkerDirectory {
  let root: FilePath
  /// Where workers find it, each in a mount namespace of its own in which it is nowhere else.
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

  /// The file of an extension, of the journals the newest.
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

  /// Starts a worker that does what it is asked, and waits until it can be.
  func server() throws -> Worker {
    let worker = try worker("serve")
    #expect(try worker.readLine() == "ready")
    return worker
  }

  /// Opens the settings in this process.
  func open(_ problems: Problems) throws(SettingsError) -> SettingsStore {
    try SettingsStore(container: container, arguments: []) { problems.add($0) }
  }

  /// What the property list says, without opening anything.
  func textOfPropertyList() throws -> String {
    String(decoding: try LocalFileSystem().readFile(at: propertyList) ?? [], as: UTF8.self)
  }
}
