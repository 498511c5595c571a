#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Reads a tape of a binary property list (`bplist00`, as Apple's CFBinaryPList.c describes it).
  ///
  /// Objects name each other by number, so that two containers can share a third. A tape has an
  /// entry for each name, and a file whose shared containers would come to many times its own size
  /// is refused, as is one whose containers hold themselves.
  struct BinaryReader: ~Copyable {
    let base: UnsafePointer<UInt8>
    let count: Int
    var tape: Tape
    /// The number of names so far, of values and of keys.
    private var valueCount = 0

    var objectCount = 0
    var tableOffset = 0
    private var offsetSize = 0
    private var referenceSize = 0

    /// A container that is being read.
    struct Frame {
      let object: Int
      let row: Int
      /// Where the first name of an element or key stands.
      let references: Int
      let count: Int
      let isDictionary: Bool
      var next = 0
      /// The row of the key whose value is being read, if it has been read itself.
      var key = 0
    }
    private var frames: [Frame] = []
    /// Where in the heap text is that the file has as UTF-16, by its offset in the file.
    private var transcoded: [Int: (heapOffset: Int, count: Int)] = [:]

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
      base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
      count = bytes.count
      tape = Tape(
        InputBytes(borrowing: bytes), format: .binary, wordCount: bytes.count / 2)
    }

    /// Reads a whole property list.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Tape {
      var reader = Self(bytes)
      try reader.readAll()
      return reader.tape
    }
  }
}

extension PropertyList.BinaryReader {
  typealias Fault = PropertyList.Fault

  @inline(never)
  func fault(_ message: String, at offset: Int) -> Fault {
    let path = frames.compactMap { frame -> String? in
      guard frame.isDictionary else { return String(max(frame.next - 1, 0)) }
      return frame.key > 0 ? tape.plainText(frame.key) : nil
    }
    return Fault(offset: offset, path: path, message: message)
  }

  private mutating func readAll() throws(Fault) {
    // The trailer's last numbers are 64 bits each; none of a file in memory needs so many.
    guard count >= 8, UnsafeBufferPointer(start: base, count: 6).elementsEqual("bplist".utf8) else {
      throw fault("this is no binary property list", at: 0)
    }
    guard base[6] == UInt8(ascii: "0") else {
      throw fault("binary property lists are read in version 0 only", at: 6)
    }
    guard count >= 8 + 1 + 1 + 32 else { throw fault("the file is cut off", at: count) }
    guard count < UInt32.max else {
      throw fault("a property list of 4 GiB or more is not read", at: count)
    }
    let trailer = count - 32
    offsetSize = Int(base[trailer + 6])
    referenceSize = Int(base[trailer + 7])
    guard (1...8).contains(offsetSize) else {
      throw fault("an offset of \(offsetSize) bytes", at: trailer + 6)
    }
    guard (1...8).contains(referenceSize) else {
      throw fault("a reference of \(referenceSize) bytes", at: trailer + 7)
    }
    guard let table = integer(at: trailer + 24, size: 8), table >= 9, table < trailer else {
      throw fault("the table of offsets is outside of the file", at: trailer + 24)
    }
    guard let objects = integer(at: trailer + 8, size: 8), objects >= 1,
      objects <= (trailer - table) / offsetSize
    else { throw fault("more objects than the table of offsets holds", at: trailer + 8) }
    guard let top = integer(at: trailer + 16, size: 8), top < objects else {
      throw fault("the first object is none of the file's", at: trailer + 16)
    }
    (objectCount, tableOffset) = (objects, table)
    try readObject(top, namedAt: trailer + 16)
    if tape.is(.string, 0) { tape.recognizeNull(0) }
    try readContainers()
  }

  /// Reads the elements of the open containers until none is open.
  private mutating func readContainers() throws(Fault) {
    while let frame = frames.last {
      let index = frames.count - 1
      var next = frame.next
      while next < frame.count {
        let reference = frame.references + next * referenceSize
        next += 1
        if frame.isDictionary {
          frames[index].next = next
          try readKey(namedAt: reference, in: index)
          try readValue(namedAt: reference + frame.count * referenceSize)
        } else {
          frames[index].next = next
          try readValue(namedAt: reference)
        }
        if frames.count - 1 != index { break }
      }
      if frames.count - 1 == index, next == frame.count {
        frames.removeLast()
        tape.close(frame.row, elementCount: frame.count)
      }
    }
  }

  /// A number, the most significant byte first, if it is none that only 64 bits hold.
  @inline(__always)
  func integer(at offset: Int, size: Int) -> Int? {
    if size == 1 { return Int(base[offset]) }
    if size == 2 { return Int(base[offset]) << 8 | Int(base[offset + 1]) }
    var value: UInt64 = 0
    for index in 0..<size { value = value << 8 | UInt64(base[offset + index]) }
    return Int(exactly: value)
  }

  @inline(__always)
  private mutating func readKey(namedAt reference: Int, in frame: Int) throws(Fault) {
    let before = tape.count
    frames[frame].key = 0
    try readObject(namedAt: reference)
    guard tape.is(.string, before) else {
      if tape.is(.array, before) || tape.is(.object, before) { frames.removeLast() }
      throw fault("a key that is not a string", at: tape.offset(before))
    }
    frames[frame].key = before
  }

  @inline(__always)
  private mutating func readValue(namedAt reference: Int) throws(Fault) {
    let row = tape.count
    try readObject(namedAt: reference)
    if tape.is(.string, row) { tape.recognizeNull(row) }
  }

  @inline(__always)
  private mutating func readObject(namedAt reference: Int) throws(Fault) {
    guard let object = integer(at: reference, size: referenceSize) else {
      throw fault("a reference to none of the file's objects", at: reference)
    }
    try readObject(object, namedAt: reference)
  }

  /// Appends an object's row, and opens it if it is a container.
  private mutating func readObject(_ object: Int, namedAt reference: Int) throws(Fault) {
    guard object < objectCount else {
      throw fault("a reference to object \(object) of \(objectCount)", at: reference)
    }
    let entry = tableOffset + object * offsetSize
    guard let offset = integer(at: entry, size: offsetSize), offset >= 8, offset < tableOffset
    else { throw fault("object \(object) is outside of the file's objects", at: entry) }
    valueCount += 1
    // A row has an index of 32 bits.
    guard valueCount <= count * 4, tape.count < UInt32.max - 16 else {
      throw fault("shared containers that hold more than the file has room for", at: reference)
    }
    let marker = base[offset]
    switch marker >> 4 {
    case 0xA, 0xB, 0xC, 0xD: try open(object, at: offset)
    case 0x5:
      let (start, length) = try content(at: offset, size: 1)
      let bytes = UnsafeBufferPointer(start: base + start, count: length)
      guard bytes.isASCII else { throw fault("a byte that is not ASCII", at: offset) }
      tape.appendText(at: start, count: length, isASCII: true)
    case 0x6:
      let (start, length) = try content(at: offset, size: 2)
      try appendUTF16(start, count: length, of: offset)
    default: try readScalar(marker, at: offset)
    }
  }

  /// Where an object's content stands, and how many elements of a size it has.
  @inline(__always)
  func content(at offset: Int, size: Int) throws(Fault) -> (start: Int, count: Int) {
    var (start, length) = (offset + 1, Int(base[offset] & 0xF))
    if length == 0xF {
      guard start < tableOffset, base[start] >> 4 == 1, base[start] & 0xF <= 3,
        start + 1 + 1 << Int(base[start] & 0xF) <= tableOffset
      else { throw fault("a length that is no whole number", at: start) }
      let width = 1 << Int(base[start] & 0xF)
      // One that needs the last bit of 64 is too large for any file.
      length = integer(at: start + 1, size: width) ?? .max
      start += 1 + width
    }
    guard length <= (tableOffset - start) / size else {
      throw fault("a length of \(length) reaches beyond the file's objects", at: offset)
    }
    return (start, length)
  }

  private mutating func open(_ object: Int, at offset: Int) throws(Fault) {
    let isDictionary = base[offset] >> 4 == 0xD
    guard base[offset] >> 4 != 0xB else { throw unknownMarker(at: offset) }
    let size = isDictionary ? referenceSize * 2 : referenceSize
    let (start, length) = try content(at: offset, size: size)
    guard !frames.contains(where: { $0.object == object }) else {
      throw fault("a container that holds itself", at: offset)
    }
    guard frames.count < PropertyList.maximumDepth else {
      throw fault("more than \(PropertyList.maximumDepth) containers deep", at: offset)
    }
    frames.append(
      Frame(
        object: object, row: tape.count, references: start, count: length,
        isDictionary: isDictionary))
    tape.open(isDictionary ? .object : .array, at: offset)
  }

  @inline(never)
  func unknownMarker(at offset: Int) -> Fault {
    fault("0x\(String(base[offset], radix: 16)) is no kind of object", at: offset)
  }

  private mutating func appendUTF16(_ start: Int, count: Int, of object: Int) throws(Fault) {
    // A long text that is named many times is transcoded once.
    if count > 32, let (heapOffset, length) = transcoded[object] {
      return tape.appendHeapText(heapOffset, count: length, at: object)
    }
    guard tape.heap.count + count * 3 <= TextHeap.maximumCount else {
      throw fault("shared text that is longer than the file has room for", at: object)
    }
    let text = tape.appendUTF16(base + start, count: count, at: object)
    if count > 32 { transcoded[object] = text }
  }
}
