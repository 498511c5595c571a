import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// An app's directories for one test.
struct Home {
  let root: FilePath
  var identifier = "com.example.Behaviour"

  var container: AppContainer { AppContainer(root: root, identifier: identifier) }

  func open(
    suite: String? = nil, groups: [String] = [], arguments: [String] = [],
    problems: Problems = Problems()
  ) throws(SettingsError) -> SettingsStore {
    try SettingsStore(
      container: container, suite: suite, groups: groups, arguments: ["app"] + arguments,
      onProblem: { problems.add($0) })
  }

  /// The text of the property list.
  func text(suite: String? = nil) throws -> String {
    try text(at: container.preferencesFile(suite: suite))
  }

  func text(at path: FilePath) throws -> String {
    let bytes = try LocalFileSystem().readFile(at: path)
    return String(decoding: try #require(bytes), as: UTF8.self)
  }

  /// Writes a property list as a manual edit or an administrator does.
  func write(_ entries: String, to path: FilePath) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>\(entries)</dict></plist>
      """
    try LocalFileSystem().createDirectories(path.removingLastComponent())
    try LocalFileSystem().replaceFile(at: path, with: Array(text.utf8))
  }
}

func withHome<Result>(_ body: (Home) async throws -> Result) async throws -> Result {
  try await withTemporaryDirectory { try await body(Home(root: $0.appending("home"))) }
}

func withHome<Result>(_ body: (Home) throws -> Result) throws -> Result {
  try withTemporaryDirectory { try body(Home(root: $0.appending("home"))) }
}

/// The problems that a store reported.
typealias Problems = ReportedProblems<SettingsError>

extension Problems {
  var codes: [SettingsError.Code] { all.map(\.code) }
}

/// A counter for events on any thread.
final class Tally: Sendable {
  private let value = Atomic<Int>(0)

  var count: Int { value.load(ordering: .sequentiallyConsistent) }

  func add() { value.add(1, ordering: .sequentiallyConsistent) }
}
