#if Configuration
import Configuration
import KeepsakeBase
import KeepsakeCoding

/// All layers as one provider of swift-configuration.
///
/// With one provider for each layer, an edit of several sections would be several changes.
struct LayersProvider: ConfigProvider {
  let configuration: EnvironmentConfiguration
  let providerName = "EnvironmentConfiguration"

  init(_ configuration: EnvironmentConfiguration) {
    self.configuration = configuration
  }

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    try LayersSnapshot(configuration.store).value(forKey: key, type: type)
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
    let updates = ChangeSequence {
      ConfigurationCursor(configuration) { store in
        let snapshot = LayersSnapshot(store)
        let result = Result { try snapshot.value(forKey: key, type: type) }
        return .init(result: .success(result), identity: snapshot.content(of: key))
      }
    }
    return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
  }

  func snapshot() -> any ConfigSnapshot { LayersSnapshot(configuration.store) }

  func watchSnapshot<Return: ~Copyable>(
    updatesHandler: (
      ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
    ) async throws -> Return
  ) async throws -> Return {
    let updates = ChangeSequence {
      ConfigurationCursor(configuration) { store in
        let snapshot = LayersSnapshot(store)
        return .init(result: .success(snapshot as any ConfigSnapshot), identity: snapshot.version)
      }
    }
    return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
  }
}

/// The layers at one moment.
struct LayersSnapshot: ConfigSnapshot {
  let providerName = "EnvironmentConfiguration"
  let version: UInt64
  private let layers: ConfigurationLayers
  private let secrets: ConfigurationSecrets

  init(_ store: ConfigurationStore) {
    (layers, version) = store.current
    secrets = store.secrets
  }

  func content(of key: AbsoluteConfigKey) -> ConfigurationLayers.Content? {
    layers.first(Self.name(of: key))?.content
  }

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    let name = Self.name(of: key)
    guard let found = layers.first(name) else {
      return LookupResult(encodedKey: name.spelled, value: nil)
    }
    guard let content = ConfigContent(found.content, isUntyped: found.isUntyped, as: type) else {
      let session = DecodingSession(layers, secrets, overridesFile: nil)
      throw session.error(
        .mismatch(Self.type(type), found.content, session.origin(of: name, found)))
    }
    return LookupResult(
      encodedKey: found.path.joined(separator: "."),
      value: ConfigValue(
        content, isSecret: secrets.contains([name, found.spelling(of: name)], found.content)))
  }

  private static func name(of key: AbsoluteConfigKey) -> ConfigurationName {
    ConfigurationName(key.components.joined(separator: "."))
  }

  private static func type(_ type: ConfigType) -> Any.Type {
    switch type {
    case .string: String.self
    case .int: Int.self
    case .double: Double.self
    case .bool: Bool.self
    case .bytes: [UInt8].self
    case .stringArray: [String].self
    case .intArray: [Int].self
    case .doubleArray: [Double].self
    case .boolArray: [Bool].self
    case .byteChunkArray: [[UInt8]].self
    }
  }
}
#endif
