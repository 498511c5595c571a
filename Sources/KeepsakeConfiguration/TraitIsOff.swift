#if !Configuration
public import KeepsakeSettings
public import SystemPackage

/// An app's configuration. Unavailable: the trait `Configuration` is off.
@available(*, unavailable, message: "Enable the trait `Configuration` of the package keepsake")
public final class EnvironmentConfiguration {
  /// The configuration beside the program.
  public init() {}

  /// The configuration in a file.
  public init(
    file: FilePath, hasSections: Bool = true, environment: String? = nil,
    overrides: FilePath? = nil, arguments: [String] = [], variables: [String: String] = [:]
  ) {}

  /// A configuration without files.
  public init(dictionary: [String: Any]) {}
}

/// Why a value cannot be read or overridden. Unavailable: the trait `Configuration` is off.
@available(*, unavailable, message: "Enable the trait `Configuration` of the package keepsake")
public struct ConfigurationError {}

/// Every missing and wrong key. Unavailable: the trait `Configuration` is off.
@available(*, unavailable, message: "Enable the trait `Configuration` of the package keepsake")
public struct ConfigurationErrors {}
extension SettingsStore {
  /// The settings for readers of swift-configuration. Unavailable: the trait `Configuration` is off.
  @available(*, unavailable, message: "Enable the trait `Configuration` of the package keepsake")
  public var configProvider: SettingsStore { self }
}
#endif
