#if Configuration
import KeepsakeCoding
import Yams

/// Reads YAML 1.1 with Yams, and expands aliases and merge keys within limits.
///
/// Yams shares the nodes of aliases, but expands them whenever it compares keys, and recurses into them
/// when it releases them: a file of one kilobyte could take years, or overflow the stack. So it never
/// receives an alias: each `*` is replaced by a character that is not in the text, with which a plain
/// scalar can start.
struct YAMLReader {
  /// The maximum number of values, and of bytes in strings and keys, that aliases add to a file.
  static let maximumExpansion = (values: 100_000, bytes: 10_000_000)

  /// A value with its location.
  private struct Element {
    /// `nil` for null.
    var value: PropertyList.Value?
    var location: TextLocation?
    /// The values in a mapping, including the merged ones, or in a sequence without null, by the steps
    /// of a path.
    var children: [(step: String, element: Element)] = []
    /// The number of values, of bytes and of nested containers, all aliases expanded.
    var values = 1
    var bytes = 0
    var depth = 0

    mutating func append(_ element: Element, at step: String) {
      children.append((step, element))
      values += element.values
      bytes += element.bytes + step.utf8.count
      depth = max(depth, element.depth + 1)
    }
  }

  /// The character in place of each `*`.
  private let asterisk: Unicode.Scalar?
  private var anchors: [String: Element] = [:]
  private var expandedValues = 0
  private var expandedBytes = 0

  static func value(
    _ bytes: [UInt8]
  ) throws(ConfigurationFormat.ParseError) -> PropertyList.Value {
    try read(bytes)?.value ?? .dictionary([:])
  }

  static func location(of path: [String], in bytes: [UInt8]) -> TextLocation? {
    guard var element = try? read(bytes) else { return nil }
    for step in path {
      guard let next = element.children.first(where: { $0.step == step }) else { return nil }
      element = next.element
    }
    return element.location
  }

  private static func read(_ bytes: [UInt8]) throws(ConfigurationFormat.ParseError) -> Element? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationFormat.ParseError(message: "the text is not UTF-8")
    }
    let asterisk = try unusedCharacter(in: text)
    var reader = YAMLReader(asterisk: asterisk)
    do {
      let parser = try Parser(
        yaml: asterisk.map { replacingAsterisks(in: bytes, with: $0) } ?? text)
      // A node does not retain its anchor, but the parser does.
      return try withExtendedLifetime(parser) {
        try parser.singleRoot().map { try reader.element($0, depth: 0) }
      }
    } catch let error as ConfigurationFormat.ParseError {
      throw error
    } catch let error as YamlError {
      throw reader.parseError(error)
    } catch {
      throw ConfigurationFormat.ParseError(message: "the text is not YAML")
    }
  }

  private init(asterisk: Unicode.Scalar?) { self.asterisk = asterisk }

  /// A character for private use that is not in a text, or `nil` if the text contains no asterisk.
  private static func unusedCharacter(
    in text: String
  ) throws(ConfigurationFormat.ParseError) -> Unicode.Scalar? {
    if !text.utf8.contains(UInt8(ascii: "*")) { return nil }
    let privateUse = UInt32(0xE000)...0xF8FF
    let used = Set(text.unicodeScalars.lazy.map(\.value).filter(privateUse.contains))
    guard let unused = privateUse.first(where: { !used.contains($0) }) else {
      throw ConfigurationFormat.ParseError(
        message: "the text contains an asterisk and every character for private use")
    }
    return Unicode.Scalar(unused)
  }

  private static func replacingAsterisks(
    in bytes: [UInt8], with character: Unicode.Scalar
  ) -> String {
    let replacement = Array(String(character).utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == UInt8(ascii: "*") { result += replacement } else { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text of a scalar with its asterisks.
  private func original(_ text: String) -> String {
    guard let asterisk, text.unicodeScalars.contains(asterisk) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == asterisk ? "*" : $0 }))
  }

  // MARK: Elements

  /// Reads a node and registers its anchor.
  ///
  /// - Parameter depth: The number of containers that contain the node.
  private mutating func element(
    _ node: Node, depth: Int
  ) throws(ConfigurationFormat.ParseError) -> Element {
    var element = Element(location: node.mark.map(Self.location))
    switch node {
    case .scalar(let scalar):
      if let name = alias(scalar) {
        return try expanded(name, at: element.location, depth: depth)
      }
      element.value = value(node, scalar)
      element.bytes = scalar.string.utf8.count
    case .sequence(let sequence):
      try checkDepth(depth, element.location)
      var values: [PropertyList.Value] = []
      for node in sequence {
        let inner = try self.element(node, depth: depth + 1)
        guard let value = inner.value else { continue }
        element.append(inner, at: LocationProbe.step(values.count))
        values.append(value)
      }
      element.value = .array(values)
    case .mapping(let mapping):
      try checkDepth(depth, element.location)
      try read(mapping, into: &element, depth: depth)
    case .alias:
      throw ConfigurationFormat.ParseError(
        message: "an alias without an anchor", location: element.location)
    }
    if let anchor = node.anchor { anchors[anchor.rawValue] = element }
    return element
  }

  /// Reads the entries of a mapping, and after them those of the mappings that it merges (`<<`).
  private mutating func read(
    _ mapping: Node.Mapping, into element: inout Element, depth: Int
  ) throws(ConfigurationFormat.ParseError) {
    var values: [String: PropertyList.Value] = [:]
    var keys: Set<String> = []
    var merged: [Element] = []
    for (node, value) in mapping {
      let isMerge = node.tag.rawValue == Tag.Name.merge.rawValue
      let location = node.mark.map(Self.location)
      let key = isMerge ? nil : try self.key(node, depth: depth + 1)
      let inner = try self.element(value, depth: depth + 1)
      guard let key else {
        if case .array? = inner.value {
          merged += inner.children.map(\.element)
        } else {
          merged.append(inner)
        }
        continue
      }
      guard keys.insert(key).inserted else {
        throw ConfigurationFormat.ParseError(
          message: "a mapping contains the key '\(key)' twice", location: location)
      }
      values[key] = inner.value
      element.append(inner, at: key)
    }
    for other in merged {
      guard case .dictionary? = other.value else { continue }
      for (key, inner) in other.children where keys.insert(key).inserted {
        values[key] = inner.value
        element.append(inner, at: key)
      }
    }
    element.value = .dictionary(values)
  }

  private mutating func key(
    _ node: Node, depth: Int
  ) throws(ConfigurationFormat.ParseError) -> String {
    let location = node.mark.map(Self.location)
    guard case .scalar(let scalar) = node else {
      throw ConfigurationFormat.ParseError(
        message: "a key is not a scalar", location: location)
    }
    let element = try element(node, depth: depth)
    if alias(scalar) == nil { return original(scalar.string) }
    guard let value = element.value, !value.isCollection else {
      throw ConfigurationFormat.ParseError(
        message: "the key is an alias of a value that is not a scalar", location: location)
    }
    return ConfigurationSecrets.plain(value)
  }

  // MARK: Aliases

  /// The name after the asterisk of an alias, or `nil` for another scalar.
  private func alias(_ scalar: Node.Scalar) -> Substring? {
    guard let asterisk, scalar.style == .plain, scalar.string.unicodeScalars.first == asterisk
    else { return nil }
    return Substring(scalar.string.unicodeScalars.dropFirst())
  }

  private mutating func expanded(
    _ name: Substring, at location: TextLocation?, depth: Int
  ) throws(ConfigurationFormat.ParseError) -> Element {
    // The characters that libyaml permits in a name.
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty else {
      throw ConfigurationFormat.ParseError(
        message: "an asterisk is not followed by the name of an anchor", location: location)
    }
    guard let element = anchors[String(name)] else {
      throw ConfigurationFormat.ParseError(
        message: "there is no anchor '\(name)' before this alias", location: location)
    }
    expandedValues += element.values
    expandedBytes += element.bytes
    for (count, limit, unit) in [
      (expandedValues, Self.maximumExpansion.values, "values"),
      (expandedBytes, Self.maximumExpansion.bytes, "bytes"),
    ] where count > limit {
      throw ConfigurationFormat.ParseError(
        message: "the aliases up to this one expand to more than \(limit) \(unit)",
        location: location)
    }
    // The innermost container of the alias is at most at the maximum.
    if element.depth > 0 { try checkDepth(depth + element.depth - 1, location) }
    return element
  }

  private func checkDepth(
    _ depth: Int, _ location: TextLocation?
  ) throws(ConfigurationFormat.ParseError) {
    guard depth < PropertyList.maximumDepth else {
      throw ConfigurationFormat.ParseError(
        message: "more than \(PropertyList.maximumDepth) containers are nested", location: location)
    }
  }

  // MARK: Scalars and errors

  private func value(_ node: Node, _ scalar: Node.Scalar) -> PropertyList.Value? {
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
    default: .string(original(scalar.string))
    }
  }

  // Yams' own description contains the line.
  private func parseError(_ error: YamlError) -> ConfigurationFormat.ParseError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ConfigurationFormat.ParseError(
        // libyaml's message names the function that changes its limit.
        message: problem.hasPrefix("Maximum nesting level")
          ? "more than 1000 containers are nested" : problem,
        location: Self.location(mark))
    case .reader(let problem, _, _, _): ConfigurationFormat.ParseError(message: problem)
    case .duplicatedKeysInMapping(let duplicates, let context):
      ConfigurationFormat.ParseError(
        message: "a mapping contains a key twice: "
          + original(duplicates.joined(separator: ", ")),
        location: Self.location(context.mark))
    default: ConfigurationFormat.ParseError(message: "the text is not YAML")
    }
  }

  private static func location(_ mark: Mark) -> TextLocation {
    TextLocation(line: mark.line, column: mark.column)
  }
}
#endif
