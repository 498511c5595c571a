#if Macros
/// Conversions between names in Swift and texts in JSON.
enum Names {
  /// `postalCode` with a separator between its words: `postal_code`.
  static func separated(_ name: String, by separator: String) -> String {
    var words: [String] = []
    var word = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      // A word begins at a capital after another letter, and at the last of several capitals.
      let startsWord =
        letter.isUppercase && index > 0
        && (!letters[index - 1].isUppercase
          || (index + 1 < letters.count && letters[index + 1].isLowercase))
      if startsWord, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word += letter.lowercased()
    }
    words.append(word)
    return words.joined(separator: separator)
  }

  /// A text as a Swift string literal.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A key in quotation marks with a colon, as a Swift literal of JSON; slashes as `JSON.Encoder`
  /// writes them by default are not possible in a constant.
  static func prejoined(_ key: String) -> String { "#\"\"\(key)\":\"#" }

  /// Whether a key needs no escapes in JSON, nor in a Swift literal.
  static func isPlain(_ key: String) -> Bool {
    key.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\"" && $0 != "\\" && $0 != "/" && $0 != "#" && $0.value != 0x7F
    }
  }

  /// A name as an identifier, in backticks if it is a word of the language.
  static func identifier(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic
    else {
      return false
    }
    return text != "_"
      && text.unicodeScalars.allSatisfy {
        $0 == "_" || ($0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)))
      }
  }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
#endif
