#if Configuration
import KeepsakeCoding

/// Decodes from the layers of a configuration, each key from the first layer that contains it.
struct LayersDecoder: Decoder {
  let session: DecodingSession
  let node: DecodingNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ session: DecodingSession, _ node: DecodingNode, _ codingPath: [any CodingKey]) {
    self.session = session
    self.node = node
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      LayersDictionary<Key>(session: session, node: try dictionary(), codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    LayersArray(session: session, elements: try elements(), codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    LayersValue(session: session, node: node, codingPath: codingPath)
  }

  /// The node if it can be decoded as a dictionary.
  private func dictionary() throws -> DecodingNode {
    switch node {
    case .name(let name):
      let children = session.layers.children(of: name)
      guard children.isEmpty, let found = session.find(name) else { return node }
      if case .value(.dictionary) = found.content { return node }
      try session.record(
        .mismatch([String: Any].self, found.content, session.origin(of: name, found)))
    case .value(.dictionary, _), .placeholder: return node
    case .value(let value, let origin):
      try session.record(.mismatch([String: Any].self, .value(value), origin))
    case .text(let text, let origin):
      try session.record(.mismatch([String: Any].self, .value(.string(text)), origin))
    case .absent(let origin): try session.record(.missing(origin.name, origin))
    }
    return .placeholder
  }

  private func elements() throws -> [DecodingNode] {
    func elements(_ array: [PropertyList.Value], _ origin: DecodingNode.Origin) -> [DecodingNode] {
      array.enumerated().map { .value($0.element, origin.element($0.offset)) }
    }
    switch node {
    case .placeholder: break
    case .name(let name):
      guard let found = session.find(name) else {
        try session.record(.missing(name))
        break
      }
      let origin = session.origin(of: name, found)
      switch found.content {
      case .value(.array(let array)): return elements(array, origin)
      case .text(let text):
        return text.parts.enumerated().map { .text($0.element, origin.element($0.offset)) }
      case .value: try session.record(.mismatch([Any].self, found.content, origin))
      }
    case .value(.array(let array), let origin): return elements(array, origin)
    case .value(let value, let origin):
      try session.record(.mismatch([Any].self, .value(value), origin))
    case .text(let text, let origin):
      try session.record(.mismatch([Any].self, .value(.string(text)), origin))
    case .absent(let origin): try session.record(.missing(origin.name, origin))
    }
    return []
  }
}

/// A single value.
private struct LayersValue: SingleValueDecodingContainer {
  let session: DecodingSession
  let node: DecodingNode
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { session.isNothing(node) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try session.decode(type, at: node, codingPath)
  }
}

extension DecodingSession {
  /// Whether there is no value.
  func isNothing(_ node: DecodingNode) -> Bool {
    switch node {
    case .name(let name): find(name) == nil
    case .value, .text: false
    case .absent, .placeholder: true
    }
  }
}
#endif
