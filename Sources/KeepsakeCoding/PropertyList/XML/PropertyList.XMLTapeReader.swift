#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Makes a tape of an XML property list.
  ///
  /// What every writer writes is read here; what stands otherwise is left to ``XMLReader``, whose
  /// errors are these too.
  struct XMLTapeReader: ~Copyable {
    var reader: XMLReader
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

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
      reader = XMLReader(bytes)
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
        throw Fault(offset: error.offset, path: reader.path, message: error.message)
      }
      return reader.tape
    }
  }
}

extension PropertyList.XMLTapeReader {
  typealias Fault = PropertyList.Fault
  typealias Tag = PropertyList.XMLReader.Tag

  /// The keys and places that lead to what is being read.
  private var path: [String] {
    frames.compactMap { frame in
      guard frame.isDictionary else { return String(frame.count) }
      return frame.key > 0 ? tape.plainText(frame.key) : nil
    }
  }

  private mutating func readAll() throws(Fault) {
    let isUsual = skip(PropertyList.XMLWriter.head, at: 0)
    let (root, isWrapped) = isUsual ? (try readTag(), true) : try reader.readHeader()
    try readValue(startingWith: root)
    if isWrapped {
      let end = try reader.readTag()
      guard end.element == .plist, end.form == .close else {
        throw reader.fault("a property list holds one value; this is a second", at: end.offset)
      }
    }
    try reader.readEnd()
  }

  private mutating func readValue(startingWith first: Tag) throws(Fault) {
    var tag = first
    while true {
      switch (tag.element, tag.form) {
      case (.dict, .open), (.array, .open):
        guard frames.count < PropertyList.maximumDepth else {
          throw reader.fault(
            "more than \(PropertyList.maximumDepth) containers deep", at: tag.offset)
        }
        let isDictionary = tag.element == .dict
        frames.append(Frame(row: tape.count, isDictionary: isDictionary))
        tape.open(isDictionary ? .object : .array, at: tag.offset)
        tag = try readTagInContainer()
        continue
      case (_, .close):
        guard let frame = frames.last else {
          throw reader.fault("</\(tag.element)> where a value must be", at: tag.offset)
        }
        guard tag.element == (frame.isDictionary ? .dict : .array) else {
          let expected: PropertyList.XMLReader.Element = frame.isDictionary ? .dict : .array
          throw reader.fault(
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
      if frames.isEmpty { return }
      frames[frames.count - 1].count += 1
      tag = try readTagInContainer()
    }
  }

  /// Reads the next tag in the innermost container, and in a dictionary the key before it.
  @inline(__always)
  private mutating func readTagInContainer() throws(Fault) -> Tag {
    let tag = try readTag()
    let index = frames.count - 1
    if !frames[index].isDictionary || tag.form == .close { return tag }
    guard tag.element == .key else {
      throw reader.fault("<\(tag.element)> where a <key> or </dict> must be", at: tag.offset)
    }
    let row = tape.count
    try readText(tag)
    frames[index].key = row
    let valueTag = try readTag()
    guard valueTag.form != .close else {
      throw reader.fault("a key without a value", at: valueTag.offset)
    }
    return valueTag
  }

  private mutating func readScalar(_ tag: Tag) throws(Fault) {
    switch (tag.element, tag.form) {
    case (.string, _):
      let row = tape.count
      try readText(tag)
      return tape.recognizeNull(row)
    case (.true, .empty): return tape.append(.true, at: tag.offset)
    case (.false, .empty): return tape.append(.false, at: tag.offset)
    case (.integer, .open): if readInteger(tag) { return }
    case (.real, .open): if readReal(tag) { return }
    case (.date, .open): if readDate(tag) { return }
    case (.data, .open): if readData() { return }
    default: break
    }
    switch try reader.readScalar(tag) {
    case .integer(let number): tape.append(.integer, UInt64(bitPattern: number), at: tag.offset)
    case .unsigned(let number): tape.append(.unsigned, number, at: tag.offset)
    case .real(let number): tape.append(.real, number.bitPattern, at: tag.offset)
    case .date(let date):
      tape.append(.date, date.timeIntervalSinceReferenceDate.bitPattern, at: tag.offset)
    case .data(let data):
      data.withUnsafeBytes { tape.appendData($0, at: tag.offset) }
    case .boolean(let isTrue): tape.append(isTrue ? .true : .false, at: tag.offset)
    case .string, .array, .dictionary: break
    }
  }

  /// Reads the text of a `<string>` or `<key>`, its tag having been read.
  @inline(__always)
  private mutating func readText(_ tag: Tag) throws(Fault) {
    if tag.form == .empty { return tape.appendText(at: reader.position, count: 0, isASCII: true) }
    let start = reader.position
    let (end, isASCII) = endOfText(from: start)
    if skip(tag.element == .key ? "</key>" : "</string>", at: end) {
      if isASCII { return tape.appendText(at: start, count: end - start, isASCII: true) }
      let bytes = UnsafeBufferPointer(start: reader.base + start, count: end - start)
      if UTF8Check.firstInvalid(in: bytes) == nil {
        return tape.appendText(at: start, count: end - start, isASCII: false)
      }
    }
    reader.position = start
    tape.appendText(try reader.readText(tag), at: start)
  }
}
