#if Configuration
import Configuration
import KeepsakeBase
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All layers as one provider of swift-configuration.
///
/// One, not one for each layer: an edit that changes several sections is then seen as one change.
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

/// The layers of one moment.
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
    guard let content = Self.content(of: found.content, as: type) else {
      let session = DecodingSession(layers, secrets, overridesFile: nil)
      throw session.error(
        .mismatch(Self.type(type), found.content, session.place(of: name, found)))
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

  private static func content(
    of content: ConfigurationLayers.Content, as type: ConfigType
  ) -> ConfigContent? {
    switch type {
    case .string: string(content).map { .string($0) }
    case .int: scalar(content).map { .int($0) }
    case .double: scalar(content).map { .double($0) }
    case .bool: scalar(content).map { .bool($0) }
    case .bytes: scalar(content).map { (data: Data) in .bytes(Array(data)) }
    case .stringArray: elements(content, string).map { .stringArray($0) }
    case .intArray: elements(content, scalar).map { .intArray($0) }
    case .doubleArray: elements(content, scalar).map { .doubleArray($0) }
    case .boolArray: elements(content, scalar).map { .boolArray($0) }
    case .byteChunkArray:
      elements(content, scalar).map { (chunks: [Data]) in .byteChunkArray(chunks.map(Array.init)) }
    }
  }

  private static func scalar<Scalar: ConfigurationScalar>(
    _ content: ConfigurationLayers.Content
  ) -> Scalar? {
    switch content {
    case .value(let value): Scalar(configured: value)
    case .text(let text): Scalar(configured: text)
    }
  }

  /// A text; or a date as text, for which swift-configuration has no type.
  private static func string(_ content: ConfigurationLayers.Content) -> String? {
    if case .value(.date) = content, case .value(let date) = content {
      return ConfigurationSecrets.plain(date)
    }
    return scalar(content)
  }

  private static func elements<Element>(
    _ content: ConfigurationLayers.Content,
    _ read: (ConfigurationLayers.Content) -> Element?
  ) -> [Element]? {
    let elements: [Element?]
    switch content {
    case .value(.array(let array)): elements = array.map { read(.value($0)) }
    case .text(let text):
      elements = text.parts.map { part in
        read(.text(TextLayer.Text(name: text.name, whole: part, parts: [part])))
      }
    case .value: return nil
    }
    let all = elements.compactMap(\.self)
    return all.count == elements.count ? all : nil
  }
}
#endif
