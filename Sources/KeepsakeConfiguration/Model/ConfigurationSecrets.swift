#if Configuration
import Configuration
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rule for which values are secret, which no text may show.
struct ConfigurationSecrets: Sendable {
  private let specifier: SecretsSpecifier<String, String>

  init(_ specifier: SecretsSpecifier<String, String>) {
    if case .specific(let names) = specifier {
      // In every spelling.
      let ids = Set(names.map { ConfigurationName($0).id })
      self.specifier = .dynamic { name, _ in ids.contains(ConfigurationName(name).id) }
    } else {
      self.specifier = specifier
    }
  }

  /// The text in place of a secret.
  static let redacted = "<redacted>"

  private static let words: Set<Substring> = ["key", "keys", "private", "pin"]
  private static let parts = [
    "secret", "token", "password", "passwd", "passphrase", "credential", "apikey",
  ]

  /// Whether a name looks like the name of a secret.
  static func isSecret(_ name: String) -> Bool {
    ConfigurationName(name).id.split { $0 == "-" || $0 == "." }.contains { word in
      words.contains(word) || parts.contains { word.hasPrefix($0) || word.hasSuffix($0) }
    }
  }

  /// Whether a value is secret, or one of the dictionaries and arrays that contain it.
  func contains(_ name: ConfigurationName, text: String) -> Bool {
    if case .none = specifier { return false }
    var known = ""
    return name.spelled.split(separator: ".").contains { part in
      known += (known.isEmpty ? "" : ".") + part.prefix { $0 != "[" }
      return specifier.isSecret(key: known, value: text)
    }
  }

  /// A scalar as text; empty for a collection.
  static func plain(_ value: PropertyList.Value) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .date(let date): date.formatted(.iso8601)
    case .data(let data): data.base64EncodedString()
    case .array, .dictionary: ""
    }
  }
}
#endif
