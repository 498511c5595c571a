#if Configuration
import KeepsakeCoding
import SystemPackage

/// What is wrong with a value.
enum DecodingFault {
  case missing(ConfigurationName, DecodingNode.Place? = nil)
  case mismatch(Any.Type, ConfigurationLayers.Content, DecodingNode.Place)

  /// What a decoder throws, so that types which try several forms find it as they expect it.
  var decodingError: DecodingError {
    let context = DecodingError.Context(codingPath: [], debugDescription: "")
    return switch self {
    case .missing(let name, _): .keyNotFound(AnyCodingKey(stringValue: name.spelled), context)
    case .mismatch(let type, _, _): .typeMismatch(type, context)
    }
  }
}

extension DecodingSession {
  /// Describes a fault.
  ///
  /// - Complexity: O(*n*) in the size of the file that it is in.
  func error(_ fault: DecodingFault) -> ConfigurationError {
    switch fault {
    case .missing(let name, let place):
      ConfigurationError(
        .missing, "there is no value", key: name.spelled,
        file: place.map { file(of: $0.layer) } ?? layers.file.path,
        location: location(
          of: place?.path.dropLast() ?? pathOfParent(of: name), in: place?.layer ?? .common))
    case .mismatch(let type, let content, let place):
      ConfigurationError(
        .wrongType,
        "expected \(type), found \(description(of: content, place)) in \(place.layer)",
        key: place.name.spelled, file: file(of: place.layer),
        location: location(of: place.path[...], in: place.layer))
    }
  }

  /// Where the file has the innermost dictionary that the value would be in.
  private func pathOfParent(of name: ConfigurationName) -> ArraySlice<String>? {
    name.parents.reversed().lazy.compactMap { [layers] parent in
      layers.all(ConfigurationName(parent)).first { found in
        found.layer != .overrides && found.content.isDictionary
      }?.path[...]
    }.first
  }

  /// What a type itself had to say against a value.
  func refused(
    _ type: Any.Type, at node: DecodingNode, _ error: any Error
  ) -> ConfigurationError {
    let name = name(of: node) ?? .root
    let found = layers.first(name)
    var message = "the value is no \(type)"
    if !holdsSecret(node, name) {
      switch error {
      case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context):
        message += ": \(context.debugDescription)"
      default: message += ": \(error)"
      }
    }
    let place: DecodingNode.Place? =
      if case .value(_, let place) = node { place } else { found.map { self.place(of: name, $0) } }
    return ConfigurationError(
      .wrongType, message, key: name.spelled.isEmpty ? nil : name.spelled,
      file: place.map { file(of: $0.layer) } ?? layers.file.path,
      location: location(of: place?.path[...], in: place?.layer ?? .common))
  }

  /// Whether what a type was decoded from has a secret in it, which its message can quote.
  private func holdsSecret(_ node: DecodingNode, _ name: ConfigurationName) -> Bool {
    func isSecret(
      _ content: ConfigurationLayers.Content, _ name: ConfigurationName, _ other: ConfigurationName?
    ) -> Bool {
      secrets.text(of: content, named: [name, other ?? name])
        .contains(ConfigurationSecrets.redacted)
    }
    switch node {
    case .value(let value, let place): return isSecret(.value(value), name, place.spelling)
    case .text(let text, let place): return isSecret(.value(.string(text)), name, place.spelling)
    case .absent, .placeholder: return false
    case .name:
      let below = name.id.isEmpty ? "" : name.id + "."
      return read.contains { key, content in
        guard key == name || key.id.hasPrefix(below), let content else { return false }
        return isSecret(content, key, layers.first(key)?.spelling(of: key))
      }
    }
  }

  func name(of node: DecodingNode) -> ConfigurationName? {
    switch node {
    case .name(let name): name
    case .value(_, let place), .text(_, let place), .absent(let place): place.name
    case .placeholder: nil
    }
  }

  private func description(
    of content: ConfigurationLayers.Content, _ place: DecodingNode.Place
  ) -> String {
    var text = secrets.text(of: content, named: [place.name, place.spelling])
    if text.count > 80 { text = text.prefix(80) + "…" }
    switch content {
    case .text(let source):
      if source.parts.isEmpty { return "no text after \(source.name)" }
      return source.whole == nil
        ? "\(source.parts.count) texts after \(source.name)" : "'\(text)' as \(source.name)"
    case .value(let value): return value.kind + (value.isCollection ? "" : " '\(text)'")
    }
  }

  private func file(of layer: ConfigurationLayer) -> FilePath? {
    switch layer {
    case .overrides: overridesFile
    case .arguments, .variables: nil
    case .section, .common: layers.file.path
    }
  }

  private func location(
    of path: ArraySlice<String>?, in layer: ConfigurationLayer
  ) -> TextLocation? {
    switch layer {
    case .section, .common: layers.file.location(of: path.map(Array.init))
    case .overrides, .arguments, .variables: nil
    }
  }
}

extension PropertyList.Value {
  /// What it is called in a message.
  var kind: String {
    switch self {
    case .string: "a string"
    case .integer, .unsigned: "a whole number"
    case .real: "a real number"
    case .boolean: "a truth value"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  var isCollection: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }
}

extension ConfigurationLayers.Content {
  var isDictionary: Bool { if case .value(.dictionary) = self { true } else { false } }
}
#endif
