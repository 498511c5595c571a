#if Configuration
import KeepsakeCoding

/// Decodes from the layers of a configuration, each key from the first layer that has it.
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

  /// The node, if it can be taken for a dictionary.
  private func dictionary() throws -> DecodingNode {
    switch node {
    case .name(let name):
      let children = session.layers.children(of: name)
      guard children.isEmpty, let found = session.find(name) else { return node }
      if case .value(.dictionary) = found.content { return node }
      try session.note(
        .mismatch([String: Any].self, found.content, session.place(of: name, found)))
    case .value(.dictionary, _), .placeholder: return node
    case .value(let value, let place):
      try session.note(.mismatch([String: Any].self, .value(value), place))
    case .text(let text, let place):
      try session.note(.mismatch([String: Any].self, .value(.string(text)), place))
    case .absent(let place): try session.note(.missing(place.name, place))
    }
    return .placeholder
  }

  private func elements() throws -> [DecodingNode] {
    func elements(_ array: [PropertyList.Value], _ place: DecodingNode.Place) -> [DecodingNode] {
      array.enumerated().map { .value($0.element, place.element($0.offset)) }
    }
    switch node {
    case .placeholder: break
    case .name(let name):
      guard let found = session.find(name) else {
        try session.note(.missing(name))
        break
      }
      let place = session.place(of: name, found)
      switch found.content {
      case .value(.array(let array)): return elements(array, place)
      case .text(let text):
        return text.parts.enumerated().map { .text($0.element, place.element($0.offset)) }
      case .value: try session.note(.mismatch([Any].self, found.content, place))
      }
    case .value(.array(let array), let place): return elements(array, place)
    case .value(let value, let place):
      try session.note(.mismatch([Any].self, .value(value), place))
    case .text(let text, let place):
      try session.note(.mismatch([Any].self, .value(.string(text)), place))
    case .absent(let place): try session.note(.missing(place.name, place))
    }
    return []
  }
}

/// A value by itself.
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
  /// Whether nothing is there.
  func isNothing(_ node: DecodingNode) -> Bool {
    switch node {
    case .name(let name): find(name) == nil
    case .value, .text: false
    case .absent, .placeholder: true
    }
  }
}
#endif
