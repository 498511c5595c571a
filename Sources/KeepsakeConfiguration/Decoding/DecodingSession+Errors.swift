#if Configuration
import KeepsakeCoding
import SystemPackage

extension DecodingSession {
  /// Describes an error of a value.
  ///
  /// - Complexity: O(*n*) in the size of its file.
  func error(_ error: ValueError) -> ConfigurationError {
    switch error {
    case .missing(let name, let origin):
      ConfigurationError(
        .missing, "there is no value", key: name.spelled,
        file: origin.map { file(of: $0.layer) } ?? layers.file.path,
        location: location(
          of: origin?.path.dropLast() ?? pathOfParent(of: name), in: origin?.layer ?? .common))
    case .mismatch(let type, let content, let origin):
      ConfigurationError(
        .wrongType,
        "expected \(type), found \(description(of: content, origin)) in \(origin.layer)",
        key: origin.name.spelled, file: file(of: origin.layer),
        location: location(of: origin.path[...], in: origin.layer))
    }
  }

  /// The path of the innermost dictionary that would contain the value.
  private func pathOfParent(of name: ConfigurationName) -> ArraySlice<String>? {
    name.parents.reversed().lazy.compactMap { [layers] parent in
      layers.all(ConfigurationName(parent)).first { found in
        found.layer != .overrides && found.content.isDictionary
      }?.path[...]
    }.first
  }

  /// Describes an error that a type itself threw.
  func rejection(
    of type: Any.Type, at node: DecodingNode, _ error: any Error
  ) -> ConfigurationError {
    let name = name(of: node) ?? .root
    let found = layers.first(name)
    var message = "the value is not a valid \(type)"
    if !holdsSecret(node, name) {
      switch error {
      case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context):
        message += ": \(context.debugDescription)"
      default: message += ": \(error)"
      }
    }
    let origin: DecodingNode.Origin? =
      if case .value(_, let origin) = node { origin } else {
        found.map { self.origin(of: name, $0) }
      }
    return ConfigurationError(
      .wrongType, message, key: name.spelled.isEmpty ? nil : name.spelled,
      file: origin.map { file(of: $0.layer) } ?? layers.file.path,
      location: location(of: origin?.path[...], in: origin?.layer ?? .common))
  }

  /// Whether a type was decoded from a secret, which its message can quote.
  private func holdsSecret(_ node: DecodingNode, _ name: ConfigurationName) -> Bool {
    func isSecret(
      _ content: ConfigurationLayers.Content, _ name: ConfigurationName, _ other: ConfigurationName?
    ) -> Bool {
      secrets.text(of: content, named: [name, other ?? name])
        .contains(ConfigurationSecrets.redacted)
    }
    switch node {
    case .value(let value, let origin): return isSecret(.value(value), name, origin.spelling)
    case .text(let text, let origin): return isSecret(.value(.string(text)), name, origin.spelling)
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
    case .value(_, let origin), .text(_, let origin), .absent(let origin): origin.name
    case .placeholder: nil
    }
  }

  private func description(
    of content: ConfigurationLayers.Content, _ origin: DecodingNode.Origin
  ) -> String {
    var text = secrets.text(of: content, named: [origin.name, origin.spelling])
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
    case .section, .common, .file: layers.file.path
    }
  }

  private func location(
    of path: ArraySlice<String>?, in layer: ConfigurationLayer
  ) -> TextLocation? {
    switch layer {
    case .section, .common, .file: layers.file.location(of: path.map(Array.init))
    case .overrides, .arguments, .variables: nil
    }
  }
}
#endif
