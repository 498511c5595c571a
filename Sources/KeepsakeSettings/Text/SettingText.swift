package import KeepsakeCoding

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How settings are shown.
package enum SettingText {
  /// A value as text: a string without quotes, so that a script can use it.
  package static func text(of value: PropertyList.Value) -> String {
    if case .string(let text) = value { text } else { line(of: value) }
  }

  /// A value in one line, a string in quotes.
  package static func line(of value: PropertyList.Value) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .date(let date): style.format(date)
    case .data(let data): data.base64EncodedString()
    case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
    case .dictionary(let members):
      "{"
        + members.sorted { $0.key < $1.key }
        .map { "\(quoted($0.key)): \(line(of: $0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// A text in quotes, in one line, with nothing in it that a terminal would obey.
  package static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"" + visible(escaped) + "\""
  }

  /// A text whose characters can all be seen, and are where they are seen: control characters, and those that
  /// hide or reorder others (Unicode Technical Report 36), are written as their numbers.
  ///
  /// - Parameter isKeepingLines: Whether line breaks and tabs stay.
  package static func visible(_ text: String, isKeepingLines: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t":
        result += isKeepingLines ? String(scalar) : scalar == "\n" ? "\\n" : "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200B}", "\u{200E}", "\u{200F}",
        "\u{2028}"..."\u{202E}", "\u{2060}"..."\u{206F}", "\u{FEFF}", "\u{E0000}"..."\u{E007F}":
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The beginning of a visible text that is long.
  package static func shortened(_ text: String) -> String {
    let limit = 200
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return text[..<end] + "…"
  }

  /// The date that a text in ISO 8601 stands for.
  package static func date(of text: String) -> Date? {
    (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
