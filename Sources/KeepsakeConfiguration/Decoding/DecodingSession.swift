#if Configuration
import KeepsakeCoding
import SystemPackage

/// The decoding of one type: the values that it requested, and all errors.
///
/// The first attempt ends at the first error. Then the type is decoded again, with placeholders for
/// missing and wrong values, to collect all errors; a part of the type that can be decoded without
/// placeholders has none.
final class DecodingSession {
  let layers: ConfigurationLayers
  let secrets: ConfigurationSecrets
  let overridesFile: FilePath?
  private(set) var errors: [ConfigurationError] = []
  private(set) var unfinished: [String] = []
  /// The values that determine the result.
  private(set) var read: [ConfigurationName: ConfigurationLayers.Content?] = [:]
  private(set) var listed: [ConfigurationName: [ConfigurationName]] = [:]
  private(set) var requested: [RequestedType] = []
  private var isCollecting = false

  init(
    _ layers: ConfigurationLayers, _ secrets: ConfigurationSecrets, overridesFile: FilePath?
  ) {
    self.layers = layers
    self.secrets = secrets
    self.overridesFile = overridesFile
  }

  /// Decodes a type from a node.
  func decode<Value: Decodable>(
    _ type: Value.Type, from node: DecodingNode
  ) throws(ConfigurationErrors) -> Value {
    do {
      return try decode(type, at: node, [])
    } catch {
      isCollecting = true
      _ = try? decode(type, at: node, [])
      throw ConfigurationErrors(all: errors, unfinished: unfinished)
    }
  }

  // MARK: One value

  func decode<Value: Decodable>(
    _ type: Value.Type, at node: DecodingNode, _ path: [any CodingKey]
  ) throws -> Value {
    if case .name(let name) = node { requested.append(RequestedType(name: name, type: type)) }
    if let scalar = type as? any ConfigurationScalar.Type {
      return try self.scalar(scalar, at: node) as! Value
    }
    if type is any StringKeyed.Type, case .name(let name) = node, find(name) == nil {
      try record(.missing(name))
      return try decode(type, at: .placeholder, path)
    }
    guard isCollecting else { return try Value(from: LayersDecoder(self, node, path)) }
    if case .placeholder = node { return try placeholder(type, path) }
    let failure: any Error
    do {
      isCollecting = false
      defer { isCollecting = true }
      return try Value(from: LayersDecoder(self, node, path))
    } catch {
      failure = error
    }
    let before = errors.count
    do {
      let value = try Value(from: LayersDecoder(self, node, path))
      if errors.count == before { errors.append(rejection(of: type, at: node, failure)) }
      return value
    } catch {
      if errors.count == before { errors.append(rejection(of: type, at: node, failure)) }
      if let value = try? placeholder(type, path) { return value }
      // The decoding of a structure ends, too, if its own placeholder would contain this one.
      if !(error is Unfinished) { unfinished.append(name(of: node)?.spelled ?? "") }
      throw Unfinished()
    }
  }

  /// There is no placeholder for a value.
  private struct Unfinished: Error {}

  private func placeholder<Value: Decodable>(
    _ type: Value.Type, _ path: [any CodingKey]
  ) throws -> Value {
    func first<Cases: CaseIterable>(of type: Cases.Type) -> Any? { type.allCases.first }
    if let type = type as? any CaseIterable.Type, let value = first(of: type) as? Value {
      return value
    }
    return try Value(from: LayersDecoder(self, .placeholder, path))
  }

  private func scalar<Scalar: ConfigurationScalar>(
    _ type: Scalar.Type, at node: DecodingNode
  ) throws -> Scalar {
    switch node {
    case .placeholder: return Scalar.placeholder
    case .absent(let origin): try record(.missing(origin.name, origin))
    case .value(let value, let origin):
      if let scalar = Scalar(configured: value, isUntyped: origin.isUntyped) { return scalar }
      try record(.mismatch(type, .value(value), origin))
    case .text(let text, let origin):
      if let scalar = Scalar(configured: text) { return scalar }
      try record(.mismatch(type, .value(.string(text)), origin))
    case .name(let name):
      guard let found = find(name) else {
        try record(.missing(name))
        break
      }
      switch found.content {
      case .value(let value):
        if let scalar = Scalar(configured: value, isUntyped: found.isUntyped) { return scalar }
      case .text(let text): if let scalar = Scalar(configured: text) { return scalar }
      }
      try record(.mismatch(type, found.content, origin(of: name, found)))
    }
    return Scalar.placeholder
  }

  /// Records an error, or throws it as decoders do if errors are not collected.
  func record(_ valueError: ValueError) throws {
    guard isCollecting else { throw valueError.decodingError }
    errors.append(error(valueError))
  }

  /// The value in effect for a name, which is recorded as read.
  func find(_ name: ConfigurationName) -> ConfigurationLayers.Found? {
    let found = layers.first(name)
    read[name] = .some(found?.content)
    return found
  }

  /// The keys of a dictionary, which are recorded as read.
  func children(of name: ConfigurationName) -> [ConfigurationName] {
    let children = layers.children(of: name)
    listed[name] = children
    return children
  }

  func origin(
    of name: ConfigurationName, _ found: ConfigurationLayers.Found
  ) -> DecodingNode.Origin {
    DecodingNode.Origin(
      name: name, layer: found.layer, path: found.path, isUntyped: found.isUntyped)
  }
}

/// A type that was requested for a name.
struct RequestedType: Sendable {
  let name: ConfigurationName
  /// Not a `Decodable` type, because that conformance may be isolated to an actor.
  let type: Any.Type
}

/// A dictionary, which requests no keys.
private protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}
#endif
