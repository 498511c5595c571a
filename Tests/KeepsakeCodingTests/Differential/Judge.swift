/// Whether bytes are JSON as RFC 8259 defines it, found out as plainly as can be.
struct Judge {
  /// Why bytes are no JSON.
  enum Fault: String, Error {
    case utf8, structure, literal, number, string, escape, surrogate, control, trailing, depth,
      empty
  }

  private let bytes: [UInt8]
  private var place = 0

  /// - Parameter maximumDepth: The objects and arrays that may be open at once.
  static func fault(in bytes: [UInt8], maximumDepth: Int = 512) -> Fault? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return .utf8 }
    var judge = Judge(bytes: bytes)
    do throws(Fault) {
      try judge.whitespace()
      if judge.place == bytes.count { throw .empty }
      try judge.value(depth: maximumDepth)
      try judge.whitespace()
      if judge.place < bytes.count { throw .trailing }
      return nil
    } catch {
      return error
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func whitespace() throws(Fault) {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { place += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard next == character.asciiValue else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(Fault) {
    switch Character(Unicode.Scalar(next ?? 0)) {
    case "{": try entries(depth: depth, end: "}", isObject: true)
    case "[": try entries(depth: depth, end: "]", isObject: false)
    case "\"": try string()
    case "t": try literal("true")
    case "f": try literal("false")
    case "n": try literal("null")
    case "-", "0"..."9": try number()
    default: throw .structure
    }
  }

  private mutating func entries(depth: Int, end: Character, isObject: Bool) throws(Fault) {
    if depth == 0 { throw .depth }
    place += 1
    try whitespace()
    if take(end) { return }
    while true {
      if isObject {
        if next != UInt8(ascii: "\"") { throw .structure }
        try string()
        try whitespace()
        if !take(":") { throw .structure }
        try whitespace()
      }
      try value(depth: depth - 1)
      try whitespace()
      if take(end) { return }
      if !take(",") { throw .structure }
      try whitespace()
    }
  }

  private mutating func literal(_ text: String) throws(Fault) {
    guard bytes[place...].starts(with: text.utf8) else { throw .literal }
    place += text.utf8.count
  }

  private mutating func digits() throws(Fault) {
    let start = place
    while let next, (0x30...0x39).contains(next) { place += 1 }
    if place == start { throw .number }
  }

  private mutating func number() throws(Fault) {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func string() throws(Fault) {
    place += 1
    while let byte = next {
      place += 1
      switch byte {
      case 0x22: return
      case 0x5C: try escape()
      case 0..<0x20: throw .control
      default: break
      }
    }
    throw .string
  }

  private mutating func escape() throws(Fault) {
    guard let byte = next else { throw .escape }
    place += 1
    if byte != UInt8(ascii: "u") {
      if !"\"\\/bfnrt".utf8.contains(byte) { throw .escape }
      return
    }
    let unit = try hexadecimal()
    if UTF16.isTrailSurrogate(unit) { throw .surrogate }
    guard UTF16.isLeadSurrogate(unit) else { return }
    guard take("\\"), take("u") else { throw .surrogate }
    if !UTF16.isTrailSurrogate(try hexadecimal()) { throw .surrogate }
  }

  private mutating func hexadecimal() throws(Fault) -> UInt16 {
    guard place + 4 <= bytes.count,
      bytes[place..<place + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw .escape }
    place += 4
    return unit
  }
}
