#if Configuration
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials) && !canImport(Darwin)
import FoundationEssentials
#else
import Foundation
#endif

extension EnvironmentConfiguration {
  /// Reads the program's own configuration: `config.plist`, `config.json` or `config.yaml` beside the
  /// executable, or in its resources.
  ///
  /// Symbolic links to the executable are followed; links to the configuration only inside its directory.
  ///
  /// - Throws: ``ConfigurationError`` if there is none, and as
  ///   ``init(file:hasSections:environment:overrides:arguments:variables:secrets:fileSystem:onProblem:)``
  ///   does.
  public convenience init() throws(ConfigurationError) {
    try self.init(
      file: try Self.file(besideExecutable: Self.executable, in: LocalFileSystem()),
      environment: Self.bundleEnvironment)
  }

  /// Finds the configuration of an executable.
  static func file(
    besideExecutable executable: FilePath, in fileSystem: some FileSystem
  ) throws(ConfigurationError) -> FilePath {
    let directory = executable.removingLastComponent()
    do throws(FileError) {
      // The names that SwiftPM and Apple's bundles use for directories of resources. Of several
      // programs in the directory, each has its own name in that of its resources.
      let own = "_\(executable.lastComponent?.string ?? "")."
      let bundles = try fileSystem.contents(ofDirectory: directory)
        .filter { $0 == "Resources" || $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
        .sorted { ($1.contains(own) ? 1 : 0, $0) < ($0.contains(own) ? 1 : 0, $1) }
        .map { directory.appending($0) }
      let resources = directory.removingLastComponent().appending("Resources")
      for directory in [directory] + bundles + [resources] {
        for name in ["config.plist", "config.json", "config.yaml", "config.yml"] {
          let file = directory.appending(name)
          if try fileSystem.information(at: file) != nil { return file }
        }
      }
    } catch {
      throw ConfigurationError(
        .unavailable, "the configuration cannot be searched for", file: directory, cause: error)
    }
    throw ConfigurationError(
      .unavailable, "there is no config.plist, config.json or config.yaml", file: directory)
  }

  private static var executable: FilePath {
    #if os(Linux) || os(Android)
    if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      return FilePath(path)
    }
    #endif
    #if canImport(Darwin)
    if let path = Bundle.main.executablePath { return FilePath(path) }
    #endif
    return FilePath(CommandLine.arguments.first ?? "")
  }

  /// The environment in the bundle's information property list, on platforms that have one.
  private static var bundleEnvironment: String? {
    #if canImport(Darwin)
    Bundle.main.infoDictionary?["ConfigEnvironment"] as? String
    #else
    nil
    #endif
  }
}
#endif
