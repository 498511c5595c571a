import KeepsakeConfiguration
import SystemPackage

@testable import Cards
@testable import HIITFit
@testable import Stage

extension LiveConfiguration where Values == HIITFitConfiguration {
  static func bundled(
    environment: String = "Production", variables: [String: String] = [:]
  ) -> LiveConfiguration {
    bundled(HIITFitConfiguration.file, environment, variables)
  }
}

extension LiveConfiguration where Values == CardsConfiguration {
  static func bundled(environment: String = "Production") -> LiveConfiguration {
    bundled(CardsConfiguration.file, environment, [:])
  }
}

extension LiveConfiguration {
  /// What comes with the app, however this process was started with.
  fileprivate static func bundled(
    _ file: String, _ environment: String, _ variables: [String: String]
  ) -> LiveConfiguration {
    do {
      return try LiveConfiguration(
        EnvironmentConfiguration(
          file: FilePath(file), environment: environment, arguments: [], variables: variables))
    } catch {
      fatalError("\(error)")
    }
  }
}
