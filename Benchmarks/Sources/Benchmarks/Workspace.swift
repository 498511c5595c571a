import Foundation
import Glibc
import Keepsake
import SystemPackage

/// The directory that everything measured is kept in while the run lasts.
struct Workspace: Sendable {
  private static let variable = "KEEPSAKE_BENCHMARKS_DIRECTORY"

  let directory: String

  /// The workspace that this process, or the one that started it, made.
  static var inherited: Workspace? {
    ProcessInfo.processInfo.environment[variable].map { Workspace(directory: $0) }
  }

  /// Makes a workspace, and starts the program again in it: Foundation looks once, as the program
  /// is loaded, where `UserDefaults` are to be kept, and it must not be among the user's own.
  static func enter(parent: String) throws -> Never {
    try removeLeftovers(in: parent)
    let directory = "\(parent)/benchmark-data-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: directory + "/config", withIntermediateDirectories: true)
    setenv(variable, directory, 1)
    setenv("XDG_CONFIG_HOME", directory + "/config", 1)
    let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", arguments)
    throw CocoaError(.executableNotLoadable)
  }

  func remove() throws { try FileManager.default.removeItem(atPath: directory) }

  /// Removes what runs left behind that were interrupted.
  private static func removeLeftovers(in parent: String) throws {
    let prefix = "benchmark-data-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0 else {
        continue
      }
      try FileManager.default.removeItem(atPath: "\(parent)/\(name)")
    }
  }

  // MARK: Files

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Where `UserDefaults` keeps a suite of that name.
  func defaultsFile(_ suite: String) -> String { "\(directory)/config/\(suite).plist" }

  /// The directories of an app of that name.
  func container(_ name: String) -> AppContainer {
    AppContainer(root: FilePath(path(name)), identifier: name)
  }
}
