import FoundationEssentials
import KeepsakeBase
import KeepsakeFiles
import KeepsakeScenes
import KeepsakeSettings
import SystemPackage

/// A directory in which an app's windows are kept for one test.
struct Theatre {
  let root: FilePath

  var container: AppContainer {
    AppContainer(root: root.appending("home"), identifier: "com.example.Scenes")
  }

  var scenes: FilePath { container.savedState.appending("Scenes") }

  /// What an app does when it starts.
  func open(host: (any SceneHost)? = nil) throws(SettingsError) -> SceneSessions {
    try SceneSessions(container: container, host: host)
  }

  /// All files below the directory, as paths from there.
  func files() throws -> Set<String> { try files(in: root, prefix: "") }

  private func files(in directory: FilePath, prefix: String) throws -> Set<String> {
    var found: Set<String> = []
    for name in try LocalFileSystem().contents(ofDirectory: directory) {
      if try LocalFileSystem().information(at: directory.appending(name))?.kind == .directory {
        found.formUnion(try files(in: directory.appending(name), prefix: prefix + name + "/"))
      } else {
        found.insert(prefix + name)
      }
    }
    return found
  }
}

func withTheatre<Result>(_ body: (Theatre) async throws -> Result) async throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try await body(Theatre(root: FilePath(url.path)))
}

func withTheatre<Result>(_ body: (Theatre) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(Theatre(root: FilePath(url.path)))
}

/// A host that records what it is notified of.
final class Stagehand: SceneHost {
  private let notes = Mutex<[String]>([])

  /// What it was told since this was last asked.
  func takeNotes() -> [String] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  func invalidate(_ session: SceneSession) {
    notes.withLock { $0.append("show \(session.id) \(session.phase)") }
  }

  func discard(_ session: SceneSession) {
    notes.withLock { $0.append("discard \(session.id)") }
  }
}

/// Counts what happens on any thread.
final class Tally: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int { value.load(ordering: .sequentiallyConsistent) }

  func add() { value.add(1, ordering: .sequentiallyConsistent) }
}

/// What a window of the app keeps.
struct Window {
  @SceneStorage("tab") var tab = 9
  @SceneStorage("search") var search: String?
  @SceneStorage("panel") var panel = Panel.left
  @SceneStorage("perhaps") var perhaps: Panel?
  @SceneStorage("route") var route = Route(steps: [])
  @SceneStorage("last") var last: Route?

  enum Panel: String, Codable { case left, right }

  struct Route: Codable, Equatable {
    var steps: [String]
  }
}
