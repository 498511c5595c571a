#if Configuration
public import Configuration
import KeepsakeCoding
public import KeepsakeSettings

extension SettingsStore {
  /// The settings as a provider of swift-configuration, so that libraries configured with it can be
  /// configured by the user.
  ///
  /// ```swift
  /// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), store.configProvider])
  /// ```
  ///
  /// A key `http.port` is the setting of that name, with the value of the first layer that has one. A text
  /// is also read as a number or a Boolean if one is requested, and a date as text. Watchers
  /// receive each change, also of another process, and always the latest value in the end. Values whose
  /// keys look like secrets are marked as such for access logs.
  public var configProvider: some ConfigProvider { SettingsProvider(store: self) }
}

/// The settings as a provider of swift-configuration.
private struct SettingsProvider: ConfigProvider {
  let store: SettingsStore
  let providerName = "SettingsStore"

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    let key = SettingsConfigSnapshot.settingsKey(key)
    return try SettingsConfigSnapshot.result(try store.value(for: key), of: key, as: type)
  }

  func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
    try value(forKey: key, type: type)
  }

  func watchValue<Return: ~Copyable>(
    forKey key: AbsoluteConfigKey, type: ConfigType,
    updatesHandler: (
      ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
    ) async throws -> Return
  ) async throws -> Return {
    let key = SettingsConfigSnapshot.settingsKey(key)
    let updates = store.values(of: key).map { value in
      Result { try SettingsConfigSnapshot.result(value, of: key, as: type) }
    }
    return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
  }

  func snapshot() -> any ConfigSnapshot { SettingsConfigSnapshot(settings: store.snapshot()) }

  func watchSnapshot<Return: ~Copyable>(
    updatesHandler: (
      ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
    ) async throws -> Return
  ) async throws -> Return {
    let updates = store.snapshots().map {
      SettingsConfigSnapshot(settings: $0) as any ConfigSnapshot
    }
    return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
  }
}

/// The settings at one moment.
private struct SettingsConfigSnapshot: ConfigSnapshot {
  let settings: SettingsStore.Snapshot
  let providerName = "SettingsStore"

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    let key = Self.settingsKey(key)
    return try Self.result(settings[key], of: key, as: type)
  }

  static func settingsKey(_ key: AbsoluteConfigKey) -> SettingsKey<PropertyList.Value?> {
    SettingsKey(key.components.joined(separator: "."))
  }

  /// - Throws: ``SettingsError`` if the value has another type.
  static func result(
    _ value: PropertyList.Value?, of key: SettingsKey<PropertyList.Value?>, as type: ConfigType
  ) throws -> LookupResult {
    guard let value else { return LookupResult(encodedKey: key.name, value: nil) }
    // Texts of the command line, and of imported environment files, have no other type.
    guard let content = ConfigContent(.value(value), isUntyped: true, as: type) else {
      throw SettingsError(
        .wrongType, "the stored value is not of the type '\(type.rawValue)'",
        effect: "it was kept", key: key.name)
    }
    return LookupResult(
      encodedKey: key.name,
      value: ConfigValue(content, isSecret: ConfigurationSecrets.isSecret(key.name)))
  }
}
#endif
