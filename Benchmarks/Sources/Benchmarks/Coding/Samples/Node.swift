/// JSON to be written as text: of members in an order, and of numbers as they are to stand there.
enum Node {
  case null
  case flag(Bool)
  case number(String)
  case text(String)
  case list([Node])
  case members([(String, Node)])

  /// - Parameter indentation: The spaces of a step inwards; `nil` writes no space at all.
  func json(indentation: Int?) -> String {
    var output = ""
    write(to: &output, indentation: indentation, depth: 0)
    return output
  }

  private func write(to output: inout String, indentation: Int?, depth: Int) {
    func breakLine(_ depth: Int) {
      guard let indentation else { return }
      output += "\n" + String(repeating: " ", count: depth * indentation)
    }
    switch self {
    case .null: output += "null"
    case .flag(let flag): output += flag ? "true" : "false"
    case .number(let digits): output += digits
    case .text(let text): Self.write(text, to: &output)
    case .list(let nodes):
      output += "["
      for (place, node) in nodes.enumerated() {
        if place > 0 { output += "," }
        breakLine(depth + 1)
        node.write(to: &output, indentation: indentation, depth: depth + 1)
      }
      if !nodes.isEmpty { breakLine(depth) }
      output += "]"
    case .members(let members):
      output += "{"
      for (place, (key, node)) in members.enumerated() {
        if place > 0 { output += "," }
        breakLine(depth + 1)
        Self.write(key, to: &output)
        output += indentation == nil ? ":" : ": "
        node.write(to: &output, indentation: indentation, depth: depth + 1)
      }
      if !members.isEmpty { breakLine(depth) }
      output += "}"
    }
  }

  private static func write(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

extension Node: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number("\(number)") }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }

  init(_ number: Int) { self = .number("\(number)") }
  init(_ numbers: [Int]) { self = .list(numbers.map { Node($0) }) }
}
