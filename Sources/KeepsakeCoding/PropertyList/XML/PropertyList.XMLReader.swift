extension PropertyList {
  /// Reads a tape of an XML property list.
  ///
  /// Containers are kept on a stack of its own, not on the thread's, so that no file can overflow
  /// the latter.
  struct XMLReader: ~Copyable {
    var scanner: XMLScanner
    var tape: Tape

    private struct Frame {
      let row: Int
      let isDictionary: Bool
      /// The number of elements.
      var count = 0
      /// The row of the last key.
      var key = 0
    }
    private var frames: [Frame] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      scanner = XMLScanner(bytes)
      tape = Tape(InputBytes(borrowing: bytes), format: .xml, wordCount: bytes.count / 8)
    }

    /// Reads a whole property list.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Tape {
      var reader = Self(bytes)
      do throws(Fault) {
        guard bytes.count <= Tape.maximumByteCount else {
          throw Fault(
            offset: 0, path: [], message: "a property list of 3 GiB or more is not read")
        }
        try reader.readAll()
      } catch {
        throw reader.fault(error)
      }
      return reader.tape
    }
  }
}

extension PropertyList.XMLReader {
  typealias Fault = PropertyList.Fault
  typealias Tag = PropertyList.XMLScanner.Tag

  /// The keys and indices that lead to what is being read.
  private var path: [String] {
    frames.compactMap { frame in
      guard frame.isDictionary else { return String(frame.count) }
      return frame.key > 0 ? tape.plainText(frame.key) : nil
    }
  }

  /// An error with the path to what is being read.
  func fault(_ error: Fault) -> Fault {
    Fault(offset: error.offset, path: path, message: error.message)
  }

  private mutating func readAll() throws(Fault) {
    let (root, isWrapped) = try scanner.readHeader()
    try readValue(startingWith: root)
    try scanner.readEnd(isWrapped: isWrapped)
  }

  // MARK: Values

  /// Reads a value, its first tag having been read.
  mutating func readValue(startingWith first: Tag) throws(Fault) {
    let bottom = frames.count
    var tag = first
    while true {
      switch (tag.element, tag.form) {
      case (.dict, .open), (.array, .open):
        guard frames.count < PropertyList.maximumDepth else {
          throw scanner.fault(
            "more than \(PropertyList.maximumDepth) containers deep", at: tag.offset)
        }
        let isDictionary = tag.element == .dict
        frames.append(Frame(row: tape.count, isDictionary: isDictionary))
        tape.open(isDictionary ? .object : .array, at: tag.offset)
        tag = try readTagInContainer()
        continue
      case (_, .close):
        guard frames.count > bottom, let frame = frames.last else {
          throw scanner.fault("</\(tag.element)> where a value must be", at: tag.offset)
        }
        guard tag.element == (frame.isDictionary ? .dict : .array) else {
          let expected: PropertyList.XMLScanner.Element = frame.isDictionary ? .dict : .array
          throw scanner.fault(
            "</\(tag.element)> where </\(expected)> must come first", at: tag.offset)
        }
        frames.removeLast()
        tape.close(frame.row, elementCount: frame.count)
      case (.dict, .empty), (.array, .empty):
        let row = tape.count
        tape.open(tag.element == .dict ? .object : .array, at: tag.offset)
        tape.close(row, elementCount: 0)
      default: try readScalar(tag)
      }
      if frames.count == bottom { return }
      frames[frames.count - 1].count += 1
      tag = try readTagInContainer()
    }
  }

  /// Reads the next tag in the innermost container, and in a dictionary the key before it.
  @inline(__always)
  private mutating func readTagInContainer() throws(Fault) -> Tag {
    let tag = try scanner.readTag()
    if !frames[frames.count - 1].isDictionary || tag.form == .close { return tag }
    return try readKey(tag)
  }

  /// Reads a key, its tag having been read, and the tag of its value.
  @inline(__always)
  mutating func readKey(_ tag: Tag) throws(Fault) -> Tag {
    guard tag.element == .key else {
      throw scanner.fault("<\(tag.element)> where a <key> or </dict> must be", at: tag.offset)
    }
    let row = tape.count
    try readText(tag)
    frames[frames.count - 1].key = row
    let valueTag = try scanner.readTag()
    guard valueTag.form != .close else {
      throw scanner.fault("a key without a value", at: valueTag.offset)
    }
    return valueTag
  }

  private mutating func readScalar(_ tag: Tag) throws(Fault) {
    let isOpen = tag.form == .open
    switch tag.element {
    case .string:
      let row = tape.count
      try readText(tag)
      tape.recognizeNull(row)
    case .true, .false:
      try scanner.readBoolean(tag)
      tape.append(tag.element == .true ? .true : .false, at: tag.offset)
    case .integer:
      if isOpen, readInteger(tag) { return }
      let (kind, bits) = try scanner.readInteger(tag)
      tape.append(kind, bits, at: tag.offset)
    case .real:
      if isOpen, readReal(tag) { return }
      tape.append(.real, try scanner.readReal(tag).bitPattern, at: tag.offset)
    case .date:
      if isOpen, readDate(tag) { return }
      tape.append(.date, try scanner.readDate(tag).bitPattern, at: tag.offset)
    case .data:
      let range = try scanner.readData(tag)
      tape.reserve()
      tape.append(.data, traits: 0, at: range.lowerBound, count: range.count)
    case .key, .plist, .dict, .array:
      throw scanner.fault("<\(tag.element)> where a value must be", at: tag.offset)
    }
  }

  /// Reads the text of a `<string>` or `<key>`, its tag having been read.
  @inline(__always)
  private mutating func readText(_ tag: Tag) throws(Fault) {
    let start = scanner.position
    if tag.form == .empty { return tape.appendText(at: start, count: 0, isASCII: true) }
    let (end, isASCII) = scanner.endOfText(from: start)
    if scanner.skip(tag.element == .key ? "</key>" : "</string>", at: end) {
      let bytes = UnsafeBufferPointer(start: scanner.base + start, count: end - start)
      if isASCII || UTF8Check.firstInvalid(in: bytes) == nil {
        return tape.appendText(at: start, count: end - start, isASCII: isASCII)
      }
    }
    scanner.position = start
    tape.appendText(try scanner.readMixedText(tag), at: start)
  }

  // MARK: Entries one by one

  /// Removes all rows, and begins a root dictionary, to read it entry by entry.
  mutating func enterRoot() {
    tape.truncate(to: 0)
    frames.removeAll(keepingCapacity: true)
    frames.append(Frame(row: 0, isDictionary: true))
    tape.open(.object, at: 0)
  }

  /// The entry that was read last.
  mutating func lastEntry() throws(Fault) -> (key: String, value: PropertyList.Value) {
    let key = frames[0].key
    return (tape.plainText(key), try tape.value(at: tape.value(ofKey: key)))
  }
}
