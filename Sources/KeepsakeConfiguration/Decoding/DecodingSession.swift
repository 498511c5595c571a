#if Configuration
import KeepsakeCoding
import SystemPackage

/// The decoding of one type: what it asked for, and every fault that it met.
///
/// It tries as a decoder does, which ends at the first fault. Where that fails it goes through the
/// type once more, with placeholders for what is missing or wrong, to note all faults; a part of
/// the type that can be decoded as it is has none.
final class DecodingSession {
  let layers: ConfigurationLayers
  let secrets: ConfigurationSecrets
  let overridesFile: FilePath?
  private(set) var faults: [ConfigurationError] = []
  private(set) var unfinished: [String] = []
  /// The values by which the result is what it is.
  private(set) var read: [ConfigurationName: ConfigurationLayers.Content?] = [:]
  private(set) var listed: [ConfigurationName: [ConfigurationName]] = [:]
  private(set) var asked: [AskedType] = []
  private var isCollecting = false

  init(
    _ layers: ConfigurationLayers, _ secrets: ConfigurationSecrets, overridesFile: FilePath?
  ) {
    self.layers = layers
    self.secrets = secrets
    self.overridesFile = overridesFile
  }

  /// Decodes a type from what has a name.
  func decode<Value: Decodable>(
    _ type: Value.Type, from node: DecodingNode
  ) throws(ConfigurationErrors) -> Value {
    do {
      return try decode(type, at: node, [])
    } catch {
      isCollecting = true
      _ = try? decode(type, at: node, [])
      throw ConfigurationErrors(all: faults, unfinished: unfinished)
    }
  }

  // MARK: One value

  func decode<Value: Decodable>(
    _ type: Value.Type, at node: DecodingNode, _ path: [any CodingKey]
  ) throws -> Value {
    if case .name(let name) = node { asked.append(AskedType(name: name, type: type)) }
    if let scalar = type as? any ConfigurationScalar.Type {
      return try self.scalar(scalar, at: node) as! Value
    }
    if type is any StringKeyed.Type, case .name(let name) = node, find(name) == nil {
      try note(.missing(name))
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
    let before = faults.count
    do {
      let value = try Value(from: LayersDecoder(self, node, path))
      if faults.count == before { faults.append(refused(type, at: node, failure)) }
      return value
    } catch {
      if faults.count == before { faults.append(refused(type, at: node, failure)) }
      if let value = try? placeholder(type, path) { return value }
      // Of the structures around it, those end too whose own placeholder would need this one.
      if !(error is Unfinished) { unfinished.append(name(of: node)?.spelled ?? "") }
      throw Unfinished()
    }
  }

  /// Nothing can stand in for a value.
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
    case .absent(let place): try note(.missing(place.name, place))
    case .value(let value, let place):
      if let scalar = Scalar(configured: value) { return scalar }
      try note(.mismatch(type, .value(value), place))
    case .text(let text, let place):
      if let scalar = Scalar(configured: text) { return scalar }
      try note(.mismatch(type, .value(.string(text)), place))
    case .name(let name):
      guard let found = find(name) else {
        try note(.missing(name))
        break
      }
      switch found.content {
      case .value(let value): if let scalar = Scalar(configured: value) { return scalar }
      case .text(let text): if let scalar = Scalar(configured: text) { return scalar }
      }
      try note(.mismatch(type, found.content, place(of: name, found)))
    }
    return Scalar.placeholder
  }

  /// Notes a fault, or where faults are not collected throws it as decoders do.
  func note(_ fault: DecodingFault) throws {
    guard isCollecting else { throw fault.decodingError }
    faults.append(error(fault))
  }

  /// The value that counts for a name, noted as read.
  func find(_ name: ConfigurationName) -> ConfigurationLayers.Found? {
    let found = layers.first(name)
    read[name] = .some(found?.content)
    return found
  }

  /// The keys of a dictionary, noted as read.
  func children(of name: ConfigurationName) -> [ConfigurationName] {
    let children = layers.children(of: name)
    listed[name] = children
    return children
  }

  func place(of name: ConfigurationName, _ found: ConfigurationLayers.Found) -> DecodingNode.Place {
    DecodingNode.Place(name: name, layer: found.layer, path: found.path)
  }
}

/// A type that a name was asked for as.
struct AskedType: Sendable {
  let name: ConfigurationName
  /// Not as `Decodable`, for that may be an actor's alone; a cast tells whether it is one's here.
  let type: Any.Type
}

/// A dictionary, of which nothing can be told from the keys that it asks for.
private protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}
#endif
