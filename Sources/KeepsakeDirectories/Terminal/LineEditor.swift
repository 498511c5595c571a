/// A line of text while it is typed, with the cursor between its two parts.
struct LineEditor: Hashable {
  /// What stands before the cursor.
  var before = ""
  /// What stands after it.
  var after = ""

  var text: String { before + after }

  /// Changes the text or moves the cursor; a key that does neither is ignored.
  mutating func edit(_ key: TerminalKey) {
    switch key {
    case .text(let scalar): before.unicodeScalars.append(scalar)
    case .backspace: _ = before.popLast()
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .left: (before, after) = (String(before.dropLast()), before.suffix(1) + after)
    case .right: if !after.isEmpty { before.append(after.removeFirst()) }
    case .home: (before, after) = ("", text)
    case .end: (before, after) = (text, "")
    case .deleteToEnd: after = ""
    case .deleteToStart: before = ""
    case .deleteWord: deleteWord()
    case .enter, .tab, .interrupt, .endOfFile, .closed, .up, .other: break
    }
  }

  /// Deletes the last part of the path before the cursor.
  private mutating func deleteWord() {
    func isSeparator(_ character: Character) -> Bool { character == "/" || character == " " }
    while let last = before.last, isSeparator(last) { before.removeLast() }
    while let last = before.last, !isSeparator(last) { before.removeLast() }
  }

  /// The part of the line that fits a width and contains the cursor.
  ///
  /// - Parameter columns: The width of the terminal that is left for the text.
  /// - Returns: The text to show, and the column of the cursor in it.
  /// - Complexity: O(*n*).
  func visiblePart(columns: Int) -> (text: String, cursor: Int) {
    var shown = Substring(before.printable)
    var cursor = shown.columns
    while cursor >= max(columns, 1), let first = shown.popFirst() { cursor -= first.columns }
    var (text, width) = (String(shown), cursor)
    for character in after.printable {
      width += character.columns
      guard width < columns else { break }
      text.append(character)
    }
    return (text, cursor)
  }
}

extension StringProtocol {
  /// The text as a terminal may show it: a name cannot move the cursor or change colors.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// How many columns of a terminal the text takes, about.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\u{200D}"
    default: false
    }
  }
}

extension Character {
  /// East Asian wide characters and pictures take two columns (Unicode Standard Annex #11).
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
