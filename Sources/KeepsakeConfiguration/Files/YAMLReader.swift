#if Configuration
import KeepsakeCoding
import Yams

/// Reads YAML 1.1 as Yams does, with locations.
enum YAMLReader {
  static func value(
    _ bytes: [UInt8]
  ) throws(ConfigurationFormat.Fault) -> PropertyList.Value {
    guard let root = try compose(bytes) else { return .dictionary([:]) }
    return try value(root) ?? .dictionary([:])
  }

  static func location(of path: [String], in bytes: [UInt8]) -> TextLocation? {
    guard var node = try? compose(bytes) else { return nil }
    for step in path {
      guard let next = child(of: node, step) else { return nil }
      node = next
    }
    return node.mark.map(location)
  }

  private static func child(of node: Node, _ step: String) -> Node? {
    switch node {
    case .mapping(let mapping): entries(of: mapping).first { $0.key.string == step }?.value
    case .sequence(let sequence):
      sequence.enumerated().first { LocationProbe.step($0.offset) == step }?.element
    default: nil
    }
  }

  /// The entries of a mapping, after its own those of the mappings that it merges (`<<`).
  private static func entries(of mapping: Node.Mapping) -> [(key: Node, value: Node)] {
    let isMerge = { (node: Node) in node.tag.rawValue == Tag.Name.merge.rawValue }
    var entries = mapping.filter { !isMerge($0.key) }.map { (key: $0.key, value: $0.value) }
    for (key, value) in mapping where isMerge(key) {
      let merged: [Node] =
        if case .sequence(let sequence) = value { Array(sequence) } else { [value] }
      for case .mapping(let other) in merged {
        entries += self.entries(of: other).filter { entry in
          !entries.contains { $0.key.string == entry.key.string }
        }
      }
    }
    return entries
  }

  private static func compose(_ bytes: [UInt8]) throws(ConfigurationFormat.Fault) -> Node? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationFormat.Fault(message: "the text is not UTF-8")
    }
    do {
      return try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw fault(error)
    } catch {
      throw ConfigurationFormat.Fault(message: "the text is no YAML")
    }
  }

  // Yams' own description shows the line.
  private static func fault(_ error: YamlError) -> ConfigurationFormat.Fault {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ConfigurationFormat.Fault(message: problem, location: location(mark))
    case .reader(let problem, _, _, _): ConfigurationFormat.Fault(message: problem)
    case .duplicatedKeysInMapping(let duplicates, let context):
      ConfigurationFormat.Fault(
        message: "a mapping has a key twice: \(duplicates.joined(separator: ", "))",
        location: location(context.mark))
    default: ConfigurationFormat.Fault(message: "the text is no YAML")
    }
  }

  private static func location(_ mark: Mark) -> TextLocation {
    TextLocation(line: mark.line, column: mark.column)
  }

  private static func value(
    _ node: Node
  ) throws(ConfigurationFormat.Fault) -> PropertyList.Value? {
    switch node {
    case .mapping(let mapping):
      var values: [String: PropertyList.Value] = [:]
      for (key, inner) in entries(of: mapping) {
        guard case .scalar(let scalar) = key else {
          throw ConfigurationFormat.Fault(
            message: "a key that is no scalar", location: key.mark.map(location))
        }
        values[scalar.string] = try value(inner)
      }
      return .dictionary(values)
    case .sequence(let sequence):
      var elements: [PropertyList.Value] = []
      for element in sequence {
        if let element = try value(element) { elements.append(element) }
      }
      return .array(elements)
    case .scalar(let scalar): return value(node, scalar)
    case .alias:
      throw ConfigurationFormat.Fault(
        message: "an alias that leads nowhere", location: node.mark.map(location))
    }
  }

  private static func value(_ node: Node, _ scalar: Node.Scalar) -> PropertyList.Value? {
    switch node.tag.rawValue {
    case Tag.Name.null.rawValue: nil
    case Tag.Name.bool.rawValue: node.bool.map { .boolean($0) } ?? .string(scalar.string)
    case Tag.Name.int.rawValue:
      node.int.map { .integer(Int64($0)) } ?? UInt64(scalar.string).map { .unsigned($0) }
        ?? .string(scalar.string)
    case Tag.Name.float.rawValue: node.float.map { .real($0) } ?? .string(scalar.string)
    case Tag.Name.timestamp.rawValue:
      node.timestamp.map { .date($0) } ?? .string(scalar.string)
    case Tag.Name.binary.rawValue: node.binary.map { .data($0) } ?? .string(scalar.string)
    default: .string(scalar.string)
    }
  }
}
#endif
