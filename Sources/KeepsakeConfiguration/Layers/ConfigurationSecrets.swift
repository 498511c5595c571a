#if Configuration
import Configuration
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which values are not to be shown, and how the others are.
struct ConfigurationSecrets: Sendable {
  private let specifier: SecretsSpecifier<String, String>

  init(_ specifier: SecretsSpecifier<String, String>) {
    if case .specific(let names) = specifier {
      // However they are spelled.
      let ids = Set(names.map { ConfigurationName($0).id })
      self.specifier = .dynamic { name, _ in ids.contains(ConfigurationName(name).id) }
    } else {
      self.specifier = specifier
    }
  }

  /// What stands for a secret.
  static let redacted = "<redacted>"

  private static let words: Set<Substring> = ["key", "keys", "private", "pin"]
  private static let parts = [
    "secret", "token", "password", "passwd", "passphrase", "credential", "apikey",
  ]

  /// Whether a name looks like a secret's.
  static func isSecret(_ name: String) -> Bool {
    ConfigurationName(name).id.split { $0 == "-" || $0 == "." }.contains { word in
      words.contains(word) || parts.contains { word.hasPrefix($0) || word.hasSuffix($0) }
    }
  }

  func contains(_ name: ConfigurationName, text: String) -> Bool {
    if case .none = specifier { return false }
    // What is in a secret dictionary or array is secret.
    var known = ""
    return name.spelled.split(separator: ".").contains { part in
      known += (known.isEmpty ? "" : ".") + part.prefix { $0 != "[" }
      return specifier.isSecret(key: known, value: text)
    }
  }

  /// Whether a value is secret by one of the names that it goes by.
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

  /// A value as it may be shown: what is secret in it is left out.
  ///
  /// - Parameter names: What it was asked for as, and what its layer calls it.
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

  /// A scalar as text; nothing of a collection.
  static func plain(_ value: PropertyList.Value) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let isSo): "\(isSo)"
    case .date(let date): date.formatted(.iso8601)
    case .data(let data): data.base64EncodedString()
    case .array, .dictionary: ""
    }
  }
}
#endif
