import KeepsakeCoding

/// A text of `KEY=value` lines, such as `.env`.
///
/// ```
/// # A comment
/// export PORT=8080     # another one
/// NAME="two words\n"   # \n, \r, \t, \", \\ and \$ are escapes
/// PATTERN='^\d+$'      # no escapes
/// ```
enum EnvironmentFile {
  /// Reads the settings, in the order of the text; of a key that occurs twice, the last value.
  ///
  /// - Throws: The first error: a line that is none of these, or a text that is not in UTF-8.
  /// - Complexity: O(*n*).
  static func parse(
    _ bytes: [UInt8]
  ) throws(TextError) -> [(key: String, value: PropertyList.Value)] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw TextError(line: 1, column: 1, message: "the file is not in UTF-8")
    }
    var values: [SettingsName: PropertyList.Value] = [:]
    var names: [SettingsName] = []
    // Lines of scalars: a carriage return and a line feed are one character.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var reader = LineReader(line, number: index + 1)
      guard let (key, value) = try reader.read() else { continue }
      let name = SettingsName(key)
      if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }
    return names.map { (key: $0.string, value: values[$0]!) }
  }
}

/// Reads one line.
private struct LineReader {
  private let line: Substring.UnicodeScalarView
  private let number: Int
  private var index: Substring.UnicodeScalarView.Index

  init(_ line: Substring.UnicodeScalarView, number: Int) {
    self.line = line
    self.number = number
    index = line.startIndex
    // A byte order mark.
    if number == 1, line.first == "\u{FEFF}" { index = line.index(after: index) }
  }

  /// - Returns: The key and the value; `nil` if the line is empty or a comment.
  mutating func read() throws(TextError) -> (key: String, value: PropertyList.Value)? {
    skipSpaces()
    guard let first = next, first != "#" else { return nil }
    if line[index...].starts(with: "export ".unicodeScalars) {
      index = line.index(index, offsetBy: 7)
      skipSpaces()
    }
    let start = index
    while let scalar = next, scalar != "=", !Self.isSpace(scalar) { advance() }
    let key = String(line[start..<index])
    if key.isEmpty { throw error("a key is missing") }
    skipSpaces()
    guard next == "=" else { throw error("'=' is missing after the key '\(key)'") }
    advance()
    skipSpaces()
    let value: PropertyList.Value
    switch next {
    case "'", "\"": value = .string(try readQuoted())
    default: value = readPlain()
    }
    skipSpaces()
    if let scalar = next, scalar != "#" { throw error("there is text after the quotation mark") }
    return (key, value)
  }

  private mutating func readQuoted() throws(TextError) -> String {
    let start = index
    let mark = line[index]
    advance()
    var text = String.UnicodeScalarView()
    while let scalar = next {
      advance()
      if scalar == mark { return String(text) }
      guard scalar == "\\", mark == "\"", let escaped = next else {
        text.append(scalar)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "\"", "\\", "$", "'": text.append(escaped)
      // A path of Windows, for example.
      default: text.append(contentsOf: ["\\", escaped])
      }
      advance()
    }
    index = start
    throw error("the closing quotation mark is missing on this line")
  }

  /// Reads to the end of the line, or to a comment after a space.
  private mutating func readPlain() -> PropertyList.Value {
    let start = index
    var end = index
    while let scalar = next {
      if scalar == "#", end != index || index == start { break }
      advance()
      if !Self.isSpace(scalar) { end = index }
    }
    let text = String(line[start..<end])
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: break
    }
    // A number that would be written otherwise, such as a telephone number, keeps its digits.
    if let number = Int64(text), "\(number)" == text { return .integer(number) }
    if text.contains("."), let number = Double(text), "\(number)" == text, number.isFinite {
      return .real(number)
    }
    return .string(text)
  }

  private var next: Unicode.Scalar? { index < line.endIndex ? line[index] : nil }

  private mutating func advance() { index = line.index(after: index) }

  private mutating func skipSpaces() {
    while let scalar = next, Self.isSpace(scalar) { advance() }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r"
  }

  private func error(_ message: String) -> TextError {
    TextError(
      line: number, column: line.distance(from: line.startIndex, to: index) + 1, message: message)
  }
}
