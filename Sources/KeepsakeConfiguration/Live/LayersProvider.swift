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
    guard let content = Self.content(of: found, as: type) else {
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

  private static func content(
    of found: ConfigurationLayers.Found, as type: ConfigType
  ) -> ConfigContent? {
    let value = TypedContent(content: found.content, isUntyped: found.isUntyped)
    return switch type {
    case .string: value.string.map { .string($0) }
    case .int: value.scalar().map { .int($0) }
    case .double: value.scalar().map { .double($0) }
    case .bool: value.scalar().map { .bool($0) }
    case .bytes: value.scalar().map { (data: Data) in .bytes(Array(data)) }
    case .stringArray: value.elements(\.string).map { .stringArray($0) }
    case .intArray: value.elements { $0.scalar() }.map { .intArray($0) }
    case .doubleArray: value.elements { $0.scalar() }.map { .doubleArray($0) }
    case .boolArray: value.elements { $0.scalar() }.map { .boolArray($0) }
    case .byteChunkArray:
      value.elements { $0.scalar() }
        .map { (chunks: [Data]) in .byteChunkArray(chunks.map(Array.init)) }
    }
  }
}

/// A value that is read as one of swift-configuration's types.
private struct TypedContent {
  let content: ConfigurationLayers.Content
  let isUntyped: Bool

  func scalar<Scalar: ConfigurationScalar>() -> Scalar? {
    switch content {
    case .value(let value): Scalar(configured: value, isUntyped: isUntyped)
    case .text(let text): Scalar(configured: text)
    }
  }

  /// The string; or a date as text, because swift-configuration has no type for it.
  var string: String? {
    if case .value(let date) = content, case .date = date {
      return ConfigurationSecrets.plain(date)
    }
    return scalar()
  }

  /// The elements of an array, or `nil` if one has another type.
  func elements<Element>(_ read: (TypedContent) -> Element?) -> [Element]? {
    let contents: [ConfigurationLayers.Content]
    switch content {
    case .value(.array(let array)): contents = array.map { .value($0) }
    case .text(let text):
      contents = text.parts.map { part in
        .text(TextLayer.Text(name: text.name, whole: part, parts: [part]))
      }
    case .value: return nil
    }
    let elements = contents.compactMap {
      read(TypedContent(content: $0, isUntyped: isUntyped))
    }
    return elements.count == contents.count ? elements : nil
  }
}
#endif
