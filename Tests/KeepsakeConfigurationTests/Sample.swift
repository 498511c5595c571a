#if Configuration
import KeepsakeTestSupport
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage

@testable import KeepsakeConfiguration

/// The files of the tests.
enum Sample {
  static let path: FilePath = "/etc/app/config.plist"
  static let overrides: FilePath = "/var/app/overrides.plist"

  /// The file in the source document.
  static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>Common</key>
      <dict>
        <key>LogLevel</key>
        <string>info</string>
        <key>AppCenterKey</key>
        <string>5f3c-common</string>
        <key>Retries</key>
        <integer>3</integer>
      </dict>
      <key>Local</key>
      <dict>
        <key>BaseApiUrl</key>
        <string>http://localhost:3000</string>
        <key>LogLevel</key>
        <string>verbose</string>
      </dict>
      <key>Production</key>
      <dict>
        <key>BaseApiUrl</key>
        <string>https://api.example.com</string>
      </dict>
    </dict>
    </plist>

    """

  static func disk(_ text: String = plist, at path: FilePath = path) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    try disk.write(text.utf8, to: path)
    return disk
  }
}

extension EnvironmentConfiguration {
  /// Creates a configuration without this process's arguments and variables.
  convenience init(
    on disk: any FileSystem, file: FilePath = Sample.path, environment: String? = nil,
    overrides: FilePath? = nil, arguments: [String] = [], variables: [String: String] = [:],
    problems: Problems? = nil
  ) throws(ConfigurationError) {
    try self.init(
      file: file, environment: environment, overrides: overrides,
      arguments: ["app"] + arguments, variables: variables, fileSystem: disk,
      onProblem: { problems?.add($0) })
  }
}

/// The problems that a configuration reported.
typealias Problems = ReportedProblems<ConfigurationError>

extension ConfigurationError {
  /// The line and the column.
  var location: String { "\(line ?? 0):\(column ?? 0)" }
}
#endif
