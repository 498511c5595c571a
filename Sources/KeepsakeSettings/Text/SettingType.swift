package import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a setting can be.
package enum SettingType: String, CaseIterable, Codable, Sendable {
  /// A kind of property-list value.
  case string, integer, real, boolean, date, data, array, dictionary

  /// What a value is.
  package init(of value: PropertyList.Value) {
    self =
      switch value {
      case .string: .string
      case .integer, .unsigned: .integer
      case .real: .real
      case .boolean: .boolean
      case .date: .date
      case .data: .data
      case .array: .array
      case .dictionary: .dictionary
      }
  }

  /// What it is called in a sentence.
  package var name: String {
    switch self {
    case .boolean: "Boolean (true, false, yes, no)"
    case .date: "date (ISO 8601, such as 2026-11-21T08:00:00Z)"
    case .data: "Base64"
    case .array: "array in JSON"
    case .dictionary: "dictionary in JSON"
    default: rawValue
    }
  }

  /// The value that a text stands for, or `nil` where it stands for none of the type.
  package func value(of text: String) -> PropertyList.Value? {
    switch self {
    case .string: return .string(text)
    case .integer: return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
    case .real: return Double(text).map { .real($0) }
    case .boolean:
      switch text.lowercased() {
      case "true", "yes": return .boolean(true)
      case "false", "no": return .boolean(false)
      default: return nil
      }
    case .date: return SettingText.date(of: text).map { .date($0) }
    case .data: return Data(base64Encoded: text).map { .data($0) }
    case .array, .dictionary:
      guard let json = try? JSON.Value(parsing: Array(text.utf8)), !json.containsNull,
        let value = PropertyList.Value(json), SettingType(of: value) == self
      else { return nil }
      return value
    }
  }
}
