import KeepsakeCoding
import KeepsakeFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The binary format of a value in the journal: a tag byte, then the value's exact bytes.
///
/// Lengths are LEB128, and numbers are little-endian. A dictionary's keys are sorted, so that equal
/// values have equal bytes and equal digests.
enum BinaryValue {
  private enum Tag: UInt8 {
    case string, integer, unsigned, real, no, yes, date, data, array, dictionary
  }

  static func write(_ value: PropertyList.Value, into bytes: inout ByteBuffer) {
    switch value {
    case .string(let string):
      bytes.append(Tag.string.rawValue)
      write(string, into: &bytes)
    case .integer(let number):
      write(Tag.integer, UInt64(bitPattern: number), into: &bytes)
    case .unsigned(let number):
      write(Tag.unsigned, number, into: &bytes)
    case .real(let number):
      write(Tag.real, number.bitPattern, into: &bytes)
    case .boolean(let flag):
      bytes.append((flag ? Tag.yes : Tag.no).rawValue)
    case .date(let date):
      write(Tag.date, date.timeIntervalSinceReferenceDate.bitPattern, into: &bytes)
    case .data(let data):
      bytes.append(Tag.data.rawValue)
      write(length: data.count, into: &bytes)
      data.withUnsafeBytes { bytes.append($0) }
    case .array(let values):
      bytes.append(Tag.array.rawValue)
      write(length: values.count, into: &bytes)
      for value in values { write(value, into: &bytes) }
    case .dictionary(let values):
      bytes.append(Tag.dictionary.rawValue)
      write(length: values.count, into: &bytes)
      for key in values.keys.sorted(by: PropertyList.precedes) {
        write(key, into: &bytes)
        write(values[key]!, into: &bytes)
      }
    }
  }

  private static func write(_ tag: Tag, _ bits: UInt64, into bytes: inout ByteBuffer) {
    let start = bytes.extend(by: 9)
    start.storeBytes(of: tag.rawValue, as: UInt8.self)
    start.storeBytes(of: bits.littleEndian, toByteOffset: 1, as: UInt64.self)
  }

  /// Writes a string value whose text is already in UTF-8.
  static func write(text: UnsafeBufferPointer<UInt8>, into bytes: inout ByteBuffer) {
    bytes.append(Tag.string.rawValue)
    write(utf8: text, into: &bytes)
  }

  static func write(_ string: String, into bytes: inout ByteBuffer) {
    var string = string
    string.withUTF8 { write(utf8: $0, into: &bytes) }
  }

  static func write(utf8: UnsafeBufferPointer<UInt8>, into bytes: inout ByteBuffer) {
    guard let text = utf8.baseAddress, utf8.count < 0x80 else {
      write(length: utf8.count, into: &bytes)
      return bytes.append(UnsafeRawBufferPointer(utf8))
    }
    let start = bytes.extend(by: utf8.count + 1)
    start.storeBytes(of: UInt8(utf8.count), as: UInt8.self)
    (start + 1).copyMemory(from: text, byteCount: utf8.count)
  }

  private static func write(length: Int, into bytes: inout ByteBuffer) {
    var rest = length
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A checksum that identifies a value; 0 if there is no value.
  static func digest(of value: PropertyList.Value?) -> UInt32 {
    guard let value else { return 0 }
    var bytes = ByteBuffer(capacity: 64)
    write(value, into: &bytes)
    return max(1, CRC32C.of(UnsafeRawBufferPointer(bytes.bytes)))
  }

  /// Reads values, and returns `nil` for invalid bytes: it never traps, and never allocates more
  /// memory than the bytes account for.
  struct Reader {
    private var rest: UnsafeRawBufferPointer
    private var depth = 0

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }
    /// The number of bytes left.
    var count: Int { rest.count }

    mutating func readByte() -> UInt8? {
      read(count: 1)?.load(as: UInt8.self)
    }

    mutating func readInteger<Integer: FixedWidthInteger>() -> Integer? {
      guard let bytes = read(count: MemoryLayout<Integer>.size) else { return nil }
      return Integer(littleEndian: bytes.loadUnaligned(as: Integer.self))
    }

    mutating func readString() -> String? {
      guard let bytes = readUTF8() else { return nil }
      #if canImport(Darwin)
      return String(validating: bytes, as: UTF8.self)
      #else
      // Twice as fast, but requires a system as new as the compiler.
      guard let text = try? UTF8Span(validating: Span(_unsafeElements: bytes)) else { return nil }
      return String(copying: text)
      #endif
    }

    /// Reads the bytes of a string, which may not be valid UTF-8.
    mutating func readUTF8() -> UnsafeBufferPointer<UInt8>? {
      guard let length = readLength(), let bytes = read(count: length) else { return nil }
      return bytes.assumingMemoryBound(to: UInt8.self)
    }

    mutating func readValue() -> PropertyList.Value? {
      guard let tag = readByte().flatMap(Tag.init), depth < 512 else { return nil }
      switch tag {
      case .string: return readString().map { .string($0) }
      case .integer: return readInteger().map { .integer(Int64(bitPattern: $0)) }
      case .unsigned: return readInteger().map { .unsigned($0) }
      case .real: return readDouble().map { .real($0) }
      case .no: return .boolean(false)
      case .yes: return .boolean(true)
      case .date: return readDouble().map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      case .data:
        guard let length = readLength(), let bytes = read(count: length) else { return nil }
        return .data(Data(bytes))
      case .array:
        guard let count = readLength(), count <= rest.count else { return nil }
        depth += 1
        defer { depth -= 1 }
        var values: [PropertyList.Value] = []
        for _ in 0..<count {
          guard let value = readValue() else { return nil }
          values.append(value)
        }
        return .array(values)
      case .dictionary:
        guard let count = readLength(), count <= rest.count else { return nil }
        depth += 1
        defer { depth -= 1 }
        var values: [String: PropertyList.Value] = [:]
        for _ in 0..<count {
          guard let key = readString(), let value = readValue() else { return nil }
          values[key] = value
        }
        return .dictionary(values)
      }
    }

    /// Skips a value.
    mutating func skipValue() {
      guard let tag = readByte().flatMap(Tag.init) else { return }
      switch tag {
      case .no, .yes: break
      case .integer, .unsigned, .real, .date: _ = read(count: 8)
      case .string, .data: _ = readUTF8()
      case .array:
        for _ in 0..<(readLength() ?? 0) { skipValue() }
      case .dictionary:
        for _ in 0..<(readLength() ?? 0) {
          _ = readUTF8()
          skipValue()
        }
      }
    }

    private mutating func readDouble() -> Double? {
      (readInteger() as UInt64?).map { Double(bitPattern: $0) }
    }

    private mutating func readLength() -> Int? {
      var length: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = readByte(), shift < 63 {
        length |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return Int(exactly: length) }
        shift += 7
      }
      return nil
    }

    private mutating func read(count: Int) -> UnsafeRawBufferPointer? {
      // Pointer arithmetic, because slices are slow in unoptimized builds.
      guard count <= rest.count, let start = rest.baseAddress else { return nil }
      rest = UnsafeRawBufferPointer(start: start + count, count: rest.count - count)
      return UnsafeRawBufferPointer(start: start, count: count)
    }
  }
}

extension ByteBuffer {
  /// Appends a number's bytes, the least significant first.
  ///
  /// Declared in this module because generic code is not specialized across the package's modules.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    extend(by: MemoryLayout<Number>.size).storeBytes(of: number.littleEndian, as: Number.self)
  }
}
