import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SettingsStore {
  /// A file with the settings of another store, such as `UserDefaults`.
  public struct ImportSource: Sendable {
    enum Format: Sendable {
      case propertyList
      case json
      case environmentFile
    }

    /// The name under which the store remembers the import.
    let name: String
    let path: FilePath
    let format: Format
  }
}

extension SettingsStore.ImportSource {
  /// The file in which Foundation's `UserDefaults` stores settings.
  ///
  /// On Linux it is `<name>.plist` in `XDG_CONFIG_HOME`, by default `~/.config`; on Apple's platforms
  /// in `~/Library/Preferences`.
  ///
  /// - Parameters:
  ///   - name: The name of the executable, as for `UserDefaults.standard` on Linux; the bundle
  ///     identifier of an app on Apple's platforms; or the name of a suite.
  ///   - environment: The environment variables; the process's own by default.
  public static func userDefaults(
    named name: String, environment: [String: String]? = nil
  ) -> Self {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let home = HomeDirectory.find(in: environment) ?? "/"
    #if canImport(Darwin)
    let directory = home.appending("Library/Preferences")
    #else
    let configuration = environment["XDG_CONFIG_HOME"].map { FilePath($0) }
    let directory =
      configuration.flatMap { $0.isAbsolute ? $0 : nil } ?? home.appending(".config")
    #endif
    return Self(
      name: "UserDefaults \(name)", path: directory.appending("\(name).plist"),
      format: .propertyList)
  }

  /// A property list with a dictionary, in XML or binary.
  public static func propertyList(at path: FilePath) -> Self {
    Self(name: path.string, path: path, format: .propertyList)
  }

  /// A JSON file with an object, which may contain comments and trailing commas.
  public static func json(at path: FilePath) -> Self {
    Self(name: path.string, path: path, format: .json)
  }

  /// A file of `KEY=value` lines, such as `.env`.
  ///
  /// `true`, `false` and decimal numbers without quotation marks are imported as what they are, if no
  /// digit is lost (`8080` is, `007` and `1.10` are not); everything else as text.
  public static func environmentFile(at path: FilePath) -> Self {
    Self(name: path.string, path: path, format: .environmentFile)
  }
}
