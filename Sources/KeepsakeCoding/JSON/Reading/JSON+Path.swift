extension JSON {
  /// The keys and indices that lead to a location in a text, which is valid up to there.
  ///
  /// It goes through the text once more, so that reading need not note where it is.
  static func path(to offset: Int, in input: InputBytes, syntax: Syntax) -> [ParseError.Step] {
    var reader = Reader(
      input, count: min(offset, input.count), syntax: syntax, maximumDepth: .max)
    var path: [ParseError.Step] = []
    var isKeyNext: [Bool] = []
    if syntax.contains(.topLevelObjectWithoutBraces), let first = try? reader.skipWhitespace(),
      first != UInt8(ascii: "{")
    {
      path = [.key("")]
      isKeyNext = [true]
    }
    // It ends at the fault at the latest, which throws here too.
    scan: while reader.position < reader.end, let byte = try? reader.skipWhitespace(),
      reader.position < reader.end
    {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        path.append(isObject ? .key("") : .index(0))
        isKeyNext.append(isObject)
        reader.position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard !path.isEmpty else { return [] }
        path.removeLast()
        isKeyNext.removeLast()
        reader.position += 1
      case UInt8(ascii: ","):
        if case .index(let index)? = path.last { path[path.count - 1] = .index(index + 1) }
        if case .key? = path.last {
          path[path.count - 1] = .key("")
          isKeyNext[isKeyNext.count - 1] = true
        }
        reader.position += 1
      case UInt8(ascii: ":"):
        reader.position += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let token = try? reader.scanLongString() else {
          break scan
        }
        if isKeyNext.last == true {
          path[path.count - 1] = .key(text(of: token))
          isKeyNext[isKeyNext.count - 1] = false
        }
        continue
      default:
        if isKeyNext.last == true, let token = try? reader.scanUnusualKey() {
          path[path.count - 1] = .key(text(of: token))
          isKeyNext[isKeyNext.count - 1] = false
        } else {
          reader.position += 1
        }
      }
    }
    // Between two entries of an object no key leads on.
    if path.last == .key("") { path.removeLast() }
    return path
  }
}
