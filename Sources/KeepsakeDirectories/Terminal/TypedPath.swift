import KeepsakeBase
import SystemPackage

/// Finds the path that a user means who types, pastes or drags one into a terminal.
struct TypedPath {
  /// The absolute path that a relative one is appended to.
  let base: FilePath
  /// What `~` stands for.
  let home: FilePath?

  /// The directory that a line of text names.
  ///
  /// A path is taken literally where that exists; otherwise as a shell or a file manager writes it when it is
  /// dragged into the terminal: in quotation marks, with backslashes, as a `file` URI.
  ///
  /// - Returns: Its path without symbolic links.
  func directory(in line: String) throws(DirectoryChooserError) -> FilePath {
    let readings = readings(of: line)
    let path = readings.first(where: exists) ?? readings.first ?? base
    return try ChosenDirectory.check(path)
  }

  /// Resolves `~` and relative paths.
  func expand(_ text: some StringProtocol) -> FilePath {
    if let home, text == "~" || text.hasPrefix("~/") {
      return home.pushing(FilePath(String(text.dropFirst().drop { $0 == "/" })))
    }
    return base.pushing(FilePath(String(text)))
  }

  private func readings(of line: String) -> [FilePath] {
    let trimmed = line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let text = String(trimmed)
    var readings = [text, line].filter { !$0.contains("\0") }.map(expand)
    if let path = try? URIList.path(ofURI: text) { readings.append(path) }
    if let unquoted = unquote(text) { readings.append(expand(unquoted)) }
    return readings
  }

  private func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  /// Removes quotation marks and backslashes as a POSIX shell does (2.2 Quoting); `nil` if one is not closed.
  private func unquote(_ text: String) -> String? {
    var result = ""
    var quotation: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (character, quotation) {
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        result.append(next)
      case ("'", nil), ("\"", nil): quotation = character
      case _ where character == quotation: quotation = nil
      default: result.append(character)
      }
    }
    return quotation == nil ? result : nil
  }
}
