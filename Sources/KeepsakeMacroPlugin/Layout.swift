#if Macros
/// The indentation of generated code.
enum Layout {
  /// Indents code whose lines end with each brace that they open, and begin with each that they close.
  static func indented(_ code: String) -> String {
    var depth = 0
    var result = ""
    // The depths of the switch statements that are open: their cases are not indented.
    var switches: [Int] = []
    var isInText = false
    for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
      // Within a text of several lines, indentation is content.
      let delimiters = line.ranges(of: "\"\"\"").count
      if isInText {
        result += line + "\n"
        if !delimiters.isMultiple(of: 2) { isInText = false }
        continue
      }
      if !delimiters.isMultiple(of: 2) { isInText = true }
      if line.first == "}" {
        depth -= 1
        if switches.last == depth { switches.removeLast() }
      }
      let isCase = line.hasPrefix("case ") || line.hasPrefix("default:")
      let level = isCase && switches.last == depth - 1 ? depth - 1 : depth
      if !line.isEmpty { result += String(repeating: "  ", count: level) + line }
      result += "\n"
      if line.last == "{" {
        if line.hasPrefix("switch ") { switches.append(depth) }
        depth += 1
      }
    }
    return String(result.dropLast())
  }
}
#endif
