import Foundation
public import KeepsakeConfiguration
import SystemPackage

/// What the person who installs an app decides, as it is now: views that read it follow it.
@MainActor
@dynamicMemberLookup
public final class LiveConfiguration<Values: Decodable & Sendable>: ObservableObject {
  /// Where the values come from.
  public let source: EnvironmentConfiguration
  @Published private var values: Values

  /// Reads and checks all values, and follows them from then on; of wrong ones the last good stay.
  public init(_ source: EnvironmentConfiguration) throws(ConfigurationErrors) {
    self.source = source
    values = try source.decode(Values.self)
    let changes = source.values(decoding: Values.self)
    Task { [weak self] in
      for await values in changes {
        guard let self else { return }
        self.values = values
      }
    }
  }

  /// Opens a file, without which the app cannot run: where it is wrong, the program says so and ends.
  ///
  /// `--config FILE` names another. What the console overrides lasts from run to run.
  public static func opened(_ file: String, environment: String) -> LiveConfiguration {
    do {
      let options = try? LaunchOptions(CommandLine.arguments.dropFirst())
      return try LiveConfiguration(
        EnvironmentConfiguration(
          file: FilePath(options?.configuration ?? file), environment: environment,
          overrides: AppContainer.main.applicationSupport.appending("overrides.plist")))
    } catch {
      FileHandle.standardError.write(Data("The configuration cannot be used: \(error)\n".utf8))
      exit(1)
    }
  }

  /// One of the values.
  public subscript<Value>(dynamicMember value: KeyPath<Values, Value>) -> Value {
    values[keyPath: value]
  }
}
