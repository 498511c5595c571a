#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Makes a tape of a property list in OpenStep's format, or of a strings file.
  ///
  /// All scalars are strings, or data in hexadecimal:
  ///
  /// ```
  /// { key = value; "quoted key" = ( "an", array ); data = <0fbd7775>; /* comment */ }
  /// ```
  ///
  /// A strings file is such a dictionary without its braces.
  struct OpenStepReader: ~Copyable {
    let base: UnsafePointer<UInt8>
    let count: Int
    var position = 0
    var tape: Tape
    /// The keys and indices that lead to what is being read.
    private var path: [String] = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
      base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
      count = bytes.count
      tape = Tape(
        InputBytes(borrowing: bytes), format: .openStep, wordCount: bytes.count / 8)
    }

    /// Reads a whole property list.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Tape {
      var reader = Self(bytes)
      try reader.readAll()
      return reader.tape
    }
  }
}

extension PropertyList.OpenStepReader {
  typealias Fault = PropertyList.Fault

  @inline(never)
  func fault(_ message: String, at offset: Int? = nil) -> Fault {
    Fault(offset: offset ?? position, path: path, message: message)
  }

  private mutating func readAll() throws(Fault) {
    guard count <= Tape.maximumByteCount else {
      throw fault("a property list of 3 GiB or more is not read")
    }
    let bytes = UnsafeBufferPointer(start: base, count: count)
    if let invalid = UTF8Check.firstInvalid(in: bytes) {
      throw fault("a byte that is not valid UTF-8", at: invalid)
    }
    if bytes.starts(with: "\u{FEFF}".utf8) { position = 3 }
    let start = position
    try skipFiller()
    // Nothing at all is a strings file without a string.
    guard position < count, base[position] != UInt8(ascii: ";") else {
      return try readStrings(from: start)
    }
    try readValue(depth: 0)
    try skipFiller()
    if position == count { return }
    guard tape.is(.string, 0) || tape.is(.null, 0) else {
      throw fault("\(currentDescription) after the end of the property list")
    }
    // It was the first key of a strings file.
    tape.truncate(to: 0)
    try readStrings(from: start)
  }

  private mutating func readStrings(from start: Int) throws(Fault) {
    position = start
    tape.open(.object, at: start)
    let count = try readEntries(depth: 0, until: nil)
    tape.close(0, elementCount: count)
  }

  // MARK: Values

  private mutating func readValue(depth: Int) throws(Fault) {
    try skipFiller()
    let start = position
    guard start < count else { throw fault("the file ends where a value must be") }
    let isDictionary = base[start] == UInt8(ascii: "{")
    guard isDictionary || base[start] == UInt8(ascii: "(") else {
      return base[start] == UInt8(ascii: "<") ? try readData() : try readStringValue()
    }
    guard depth < PropertyList.maximumDepth else {
      throw fault("more than \(PropertyList.maximumDepth) containers deep")
    }
    position += 1
    let row = tape.count
    tape.open(isDictionary ? .object : .array, at: start)
    let elementCount =
      isDictionary
      ? try readEntries(depth: depth + 1, until: UInt8(ascii: "}"))
      : try readElements(depth: depth + 1)
    tape.close(row, elementCount: elementCount)
  }

  private mutating func readElements(depth: Int) throws(Fault) -> Int {
    var elementCount = 0
    while true {
      try skipFiller()
      if take(UInt8(ascii: ")")) { return elementCount }
      path.append(String(elementCount))
      try readValue(depth: depth)
      path.removeLast()
      elementCount += 1
      try skipFiller()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: ")")) else {
        throw fault("\(currentDescription) where \",\" or \")\" must be")
      }
      return elementCount
    }
  }

  /// Reads keys and values up to an end, or that of the file.
  private mutating func readEntries(depth: Int, until end: UInt8?) throws(Fault) -> Int {
    var entryCount = 0
    while true {
      try skipFiller()
      if let end {
        if take(end) { return entryCount }
      } else if position == count {
        return entryCount
      }
      let key = tape.count
      try readString()
      path.append(tape.plainText(key))
      entryCount += 1
      try skipFiller()
      if take(UInt8(ascii: "=")) {
        try readValue(depth: depth)
        try skipFiller()
      } else {
        // A key alone stands for itself.
        let row = tape.count
        tape.appendCopy(of: key)
        tape.recognizeNull(row)
      }
      guard take(UInt8(ascii: ";")) else {
        throw fault("\(currentDescription) where \";\" must be")
      }
      path.removeLast()
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < count, base[position] == byte else { return false }
    position += 1
    return true
  }

  // MARK: Between values

  /// What stands at the current position, for a message.
  var currentDescription: String {
    guard position < count else { return "the end of the file" }
    let byte = base[position]
    return (0x21...0x7E).contains(byte)
      ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
  }

  /// Skips whitespace and comments.
  private mutating func skipFiller() throws(Fault) {
    while position < count {
      let byte = base[position]
      if PropertyList.XMLScanner.isWhitespace(byte) || byte == 0x0B || byte == 0x0C {
        position += 1
      } else if byte == UInt8(ascii: "/"), position + 1 < count,
        base[position + 1] == UInt8(ascii: "/")
      {
        while position < count, base[position] != 0x0A, base[position] != 0x0D { position += 1 }
      } else if byte == UInt8(ascii: "/"), position + 1 < count,
        base[position + 1] == UInt8(ascii: "*")
      {
        var end = position + 2
        while end + 1 < count, base[end] != UInt8(ascii: "*") || base[end + 1] != UInt8(ascii: "/")
        { end += 1 }
        guard end + 1 < count else { throw fault("a comment without its end \"*/\"") }
        position = end + 2
      } else {
        return
      }
    }
  }
}
