/// A key that was pressed in a terminal.
enum TerminalKey: Hashable {
  case text(Unicode.Scalar)
  case enter, tab, backspace, delete, left, right, up, home, end
  case deleteToEnd, deleteToStart, deleteWord
  /// ^C.
  case interrupt
  /// ^D.
  case endOfFile
  /// The terminal was closed.
  case closed
  case other

  /// Reads the bytes of one key.
  ///
  /// - Parameters:
  ///   - next: The next byte, for as long as it takes; `nil` at the end of the input.
  ///   - nextAtOnce: The next byte if it comes within moments: Escape alone and the beginning of a longer
  ///     sequence are the same byte.
  static func read(
    _ next: () throws -> UInt8?, nextAtOnce: () throws -> UInt8?
  ) rethrows -> TerminalKey {
    guard let byte = try next() else { return .closed }
    switch byte {
    case 0x01: return .home
    case 0x02: return .left
    case 0x03: return .interrupt
    case 0x04: return .endOfFile
    case 0x05: return .end
    case 0x06: return .right
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x0B: return .deleteToEnd
    case 0x10: return .up
    case 0x15: return .deleteToStart
    case 0x17: return .deleteWord
    case 0x1B: return try readSequence(nextAtOnce)
    case 0x20..<0x7F: return .text(Unicode.Scalar(byte))
    case 0xC2..<0xF5: return try readScalar(after: byte, nextAtOnce)
    default: return .other
    }
  }

  /// Reads what follows Escape (ECMA-48: `CSI` parameters final; `SS3` final).
  private static func readSequence(_ next: () throws -> UInt8?) rethrows -> TerminalKey {
    guard let introducer = try next(),
      introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O")
    else { return .other }
    var parameters = ""
    while let byte = try next() {
      guard byte < 0x40 else { return key(final: byte, parameters: parameters) }
      parameters.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return .other
  }

  private static func key(final: UInt8, parameters: String) -> TerminalKey {
    switch (Unicode.Scalar(final), parameters) {
    case ("A", ""): .up
    case ("C", ""): .right
    case ("D", ""): .left
    case ("F", ""), ("~", "4"), ("~", "8"): .end
    case ("H", ""), ("~", "1"), ("~", "7"): .home
    case ("~", "3"): .delete
    default: .other
    }
  }

  private static func readScalar(
    after first: UInt8, _ next: () throws -> UInt8?
  ) rethrows -> TerminalKey {
    var bytes = [first]
    for _ in 0..<(first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3) {
      guard let byte = try next() else { return .other }
      bytes.append(byte)
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      let scalar = text.unicodeScalars.first
    else { return .other }
    return .text(scalar)
  }
}
