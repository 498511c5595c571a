#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Writes binary property lists (`bplist00`).
  ///
  /// An object has its number by where it is met first: a container before what it
  /// holds, in a dictionary all keys before all values, keys sorted by their UTF-8 bytes. Equal
  /// scalars are one object, as Apple's writer has it; containers are never shared. So equal
  /// values give equal bytes.
  struct BinaryWriter: ~Copyable {
    private let records: Records
    /// What each object is made of: a record, and whether it is the record's key.
    private var objects: GrowingBuffer<Object>
    /// The numbers of a container's keys, then of its elements, one container after the other.
    private var references: GrowingBuffer<UInt32>
    /// The elements of the containers that are being numbered.
    private var elements = GrowingBuffer<Int>()
    private var scalars: ScalarTable

    private struct Object: BitwiseCopyable {
      var record: UInt32
      var isKey: Bool
    }

    private init(_ records: Records) {
      self.records = records
      objects = GrowingBuffer(capacity: records.count + 1)
      references = GrowingBuffer(capacity: records.count * 2 + 1)
      scalars = ScalarTable(capacity: records.count)
    }

    /// Writes a whole property list.
    static func document(_ records: Records) -> OutputBuffer {
      var writer = Self(records)
      defer { writer.scalars.free() }
      _ = writer.number(0)
      return writer.write()
    }
  }
}

extension PropertyList.BinaryWriter {
  /// What the payload of a dictionary has, beside its element, that is written as an identifier.
  private static let identifier: UInt64 = 1 << 63

  // MARK: Numbers

  /// Gives a number to a record's value, and to all that it holds.
  private mutating func number(_ record: Int) -> UInt32 {
    switch records.records[record].kind {
    case .array where records.records[record].count > 0,
      .dictionary where records.records[record].count > 0:
      return numberContainer(record)
    case .array, .dictionary, .none: return addObject(record)
    default: break
    }
    let (number, isNew) = scalars.number(
      of: records, record, isKey: false, next: objects.count)
    if isNew { _ = addObject(record) }
    return number
  }

  private mutating func addObject(_ record: Int, isKey: Bool = false) -> UInt32 {
    objects.append(Object(record: UInt32(truncatingIfNeeded: record), isKey: isKey))
    return UInt32(truncatingIfNeeded: objects.count - 1)
  }

  private mutating func numberContainer(_ record: Int) -> UInt32 {
    let number = addObject(record)
    let isDictionary = records.records[record].kind == .dictionary
    let start = elements.count
    if isDictionary {
      records.appendSortedElements(of: record, to: &elements)
    } else {
      records.appendElements(of: record, to: &elements)
    }
    let count = elements.count - start
    // The index of the references is kept where the first and last element were: records are
    // written once.
    let first = references.count
    records.records[record].payload = UInt64(first)
    records.records[record].count = UInt32(truncatingIfNeeded: count)
    if isDictionary, isIdentifier(elements[start], count: count) {
      records.records[record].payload = Self.identifier | UInt64(elements[start])
      elements.truncate(to: start)
      return number
    }
    for _ in 0..<(isDictionary ? 2 * count : count) { references.append(0) }
    if isDictionary {
      for index in 0..<count {
        let (key, isNew) = scalars.number(
          of: records, elements[start + index], isKey: true, next: objects.count)
        if isNew { _ = addObject(elements[start + index], isKey: true) }
        references[first + index] = key
      }
    }
    let values = isDictionary ? first + count : first
    for index in 0..<count {
      references[values + index] = self.number(elements[start + index])
    }
    elements.truncate(to: start)
    return number
  }

  /// Whether a dictionary is what XML has for the identifier of a keyed archive.
  private func isIdentifier(_ element: Int, count: Int) -> Bool {
    count == 1 && records.records[element].keyLength == 6
      && records.records[element].kind == .integer
      && records.records[element].payload <= UInt64(UInt32.max)
      && records.keyBytes(element).elementsEqual("CF$UID".utf8)
  }

  // MARK: Objects

  private func write() -> OutputBuffer {
    // Equal data is written once.
    var dataCount = 0
    for index in 0..<objects.count where !objects[index].isKey {
      let record = Int(objects[index].record)
      if records.records[record].kind == .data { dataCount += records.data(record).count }
    }
    var output = OutputBuffer(
      capacity: records.heapCount + dataCount + objects.count * 12 + 64)
    let referenceSize = Self.width(of: objects.count - 1)
    output.append("bplist00")
    let offsets = UnsafeMutablePointer<Int>.allocate(capacity: objects.count)
    defer { offsets.deallocate() }
    for index in 0..<objects.count {
      offsets[index] = output.count
      let (record, isKey) = (objects[index].record, objects[index].isKey)
      if isKey {
        let isASCII = records.records[Int(record)].isKeyASCII
        append(records.keyBytes(Int(record)), isASCII: isASCII, to: &output)
      } else {
        append(Int(record), referenceSize: referenceSize, to: &output)
      }
    }
    let table = output.count
    let offsetSize = Self.width(of: table)
    for index in 0..<objects.count { output.append(UInt64(offsets[index]), width: offsetSize) }
    output.append(0, width: 6)
    output.append(UInt8(offsetSize))
    output.append(UInt8(referenceSize))
    output.append(UInt64(objects.count), width: 8)
    output.append(0, width: 8)
    output.append(UInt64(table), width: 8)
    return output
  }

  /// The fewest bytes that hold a number: 1, 2, 3, 4 and so on up to 8.
  private static func width(of number: Int) -> Int {
    max(1, (64 - UInt64(number).leadingZeroBitCount + 7) / 8)
  }

  private func append(_ record: Int, referenceSize: Int, to output: inout OutputBuffer) {
    let value = records.records[record]
    switch value.kind {
    // Only an encoder of JSON has text.
    case .none, .text: output.append(0xD0)
    case .false: output.append(0x08)
    case .true: output.append(0x09)
    case .integer: Self.append(integer: value.payload, to: &output)
    case .unsigned:
      output.append(0x14)
      output.append(0, width: 8)
      output.append(value.payload, width: 8)
    case .real:
      output.append(0x23)
      output.append(value.payload, width: 8)
    case .single:
      output.append(0x22)
      output.append(value.payload, width: 4)
    case .date:
      output.append(0x33)
      output.append(value.payload, width: 8)
    case .data:
      let data = records.data(record)
      Self.append(marker: 0x40, count: data.count, to: &output)
      data.withUnsafeBytes { output.append($0.assumingMemoryBound(to: UInt8.self)) }
    case .string: append(records.textBytes(record), isASCII: value.isTextASCII, to: &output)
    case .array, .dictionary:
      let count = Int(value.count)
      let isDictionary = value.kind == .dictionary
      if isDictionary, value.payload & Self.identifier != 0 {
        let element = Int(value.payload & ~Self.identifier)
        return Self.append(identifier: records.records[element].payload, to: &output)
      }
      Self.append(marker: isDictionary ? 0xD0 : 0xA0, count: count, to: &output)
      let first = Int(value.payload)
      for index in 0..<(isDictionary ? 2 * count : count) {
        output.append(UInt64(references[first + index]), width: referenceSize)
      }
    }
  }

  private static func append(identifier: UInt64, to output: inout OutputBuffer) {
    let width = width(of: Int(identifier))
    output.append(0x80 | UInt8(width - 1))
    output.append(identifier, width: width)
  }

  @inline(__always)
  private static func append(integer: UInt64, to output: inout OutputBuffer) {
    let size: UInt8 = integer <= 0xFF ? 0 : integer <= 0xFFFF ? 1 : integer <= 0xFFFF_FFFF ? 2 : 3
    output.append(0x10 | size)
    output.append(integer, width: 1 << Int(size))
  }

  @inline(__always)
  private static func append(marker: UInt8, count: Int, to output: inout OutputBuffer) {
    output.append(marker | UInt8(min(count, 0xF)))
    if count >= 0xF { append(integer: UInt64(count), to: &output) }
  }

  /// Writes text, as ASCII or as UTF-16.
  @inline(__always)
  private func append(
    _ text: UnsafeBufferPointer<UInt8>, isASCII: Bool, to output: inout OutputBuffer
  ) {
    if isASCII {
      Self.append(marker: 0x50, count: text.count, to: &output)
      return output.append(text)
    }
    let text = String(knownUTF8: text, isASCII: false)
    Self.append(marker: 0x60, count: text.utf16.count, to: &output)
    for unit in text.utf16 { output.append(UInt64(unit), width: 2) }
  }
}
