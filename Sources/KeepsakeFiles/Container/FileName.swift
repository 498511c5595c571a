import KeepsakeBase
package import SystemPackage

/// A file name made from any string, which cannot escape its directory.
///
/// Letters and digits of any script, and most symbols, are unchanged, so that the file name is
/// readable. Characters with a meaning in a path are percent-encoded (RFC 3986): the slash, the
/// backslash, the colon, the percent sign, control characters, and a dot at the beginning, which would
/// hide the file or name its parent. Two strings whose UTF-8 bytes differ never have the same file name,
/// not even in a file system that normalizes names: in a name that is not in Unicode's Normalization
/// Form C, the characters that prevent it are encoded.
package struct FileName: Hashable, Sendable {
  /// The name.
  package let string: String

  /// Makes a name from any string.
  ///
  /// - Complexity: O(*n*).
  package init(escaping string: String) {
    if Self.isPlain(string) {
      self.string = string
      return
    }
    // The combining class of the scalar before, as it is in the name.
    var previousClass: UInt8 = 0
    let name = PercentEncoding.encode(string) { index, scalar in
      let isEncoded: Bool
      switch scalar {
      case "/", "\\", ":", "\u{0}"..."\u{1F}", "\u{7F}": isEncoded = true
      case ".": isEncoded = index == 0
      case "\u{0}"..."\u{7F}": isEncoded = false
      default:
        let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
        isEncoded =
          scalar.mayChangeInNormalization
          || combiningClass != 0 && combiningClass < previousClass
        previousClass = isEncoded ? 0 : combiningClass
        return isEncoded
      }
      previousClass = 0
      return isEncoded
    }
    self.string = name.isEmpty ? "%" : name
  }
}

extension FileName {
  /// The string that a name was made from, or `nil` if ``init(escaping:)`` never returns that name.
  ///
  /// - Complexity: O(*n*).
  package static func unescaping(_ name: String) -> String? {
    if isPlain(name) { return name }
    if name == "%" { return "" }
    guard let string = PercentEncoding.decode(name) else { return nil }
    // A string has only one name.
    return FileName(escaping: string).string.utf8.elementsEqual(name.utf8) ? string : nil
  }
}

extension FileName {
  /// Whether a string contains only Latin letters, digits, dashes and dots, as most names do, and is
  /// its own file name.
  private static func isPlain(_ string: String) -> Bool {
    var string = string
    return string.withUTF8 { bytes in
      if bytes.isEmpty || bytes[0] == UInt8(ascii: ".") { return false }
      // The compiler makes a loop without an exit, and without Booleans, examine many bytes at once.
      var others: UInt8 = 0
      for byte in bytes {
        let letter: UInt8 = (byte | 0x20) &- UInt8(ascii: "a") < 26 ? 1 : 0
        let digit: UInt8 = byte &- UInt8(ascii: "0") < 10 ? 1 : 0
        // The dot follows the dash.
        let mark: UInt8 = byte &- UInt8(ascii: "-") < 2 ? 1 : 0
        others |= (letter | digit | mark) ^ 1
      }
      return others == 0
    }
  }
}

extension FilePath {
  /// The path of a file in this directory whose name is made from any string.
  package func appending(escaping name: String, extension suffix: String = "") -> FilePath {
    appending(FileName(escaping: name).string + (suffix.isEmpty ? "" : "." + suffix))
  }
}
