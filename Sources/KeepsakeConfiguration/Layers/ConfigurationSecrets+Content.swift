#if Configuration
import KeepsakeCoding

extension ConfigurationSecrets {
  /// Whether a value is secret under one of its names.
  func contains(
    _ names: [ConfigurationName], _ content: ConfigurationLayers.Content
  ) -> Bool {
    contains(names[0], content)
      || names.dropFirst().contains { $0.spelled != names[0].spelled && contains($0, content) }
  }

  private func contains(
    _ name: ConfigurationName, _ content: ConfigurationLayers.Content
  ) -> Bool {
    switch content {
    case .value(let value): contains(name, text: Self.plain(value))
    case .text(let text): contains(name, text: text.parts.joined(separator: ","))
    }
  }

  /// A value as text, without the secrets in it.
  ///
  /// - Parameter names: The requested name, and the name as its layer spells it.
  func text(
    of content: ConfigurationLayers.Content, named names: [ConfigurationName]
  ) -> String {
    if contains(names, content) { return Self.redacted }
    switch content {
    case .value(let value): return text(of: value, named: names[0])
    case .text(let text): return text.parts.joined(separator: ",")
    }
  }

  private func text(of value: PropertyList.Value, named name: ConfigurationName) -> String {
    if contains(name, text: Self.plain(value)) { return Self.redacted }
    switch value {
    case .array(let elements):
      return "[" + elements.map { text(of: $0, named: name) }.joined(separator: ", ") + "]"
    case .dictionary(let values):
      let entries = values.sorted { PropertyList.precedes($0.key, $1.key) }
        .map { "\($0.key): \(text(of: $0.value, named: name.appending($0.key)))" }
      return "{" + entries.joined(separator: ", ") + "}"
    default: return Self.plain(value)
    }
  }
}
#endif
