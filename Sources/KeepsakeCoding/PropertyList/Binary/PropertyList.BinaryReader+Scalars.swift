extension PropertyList.BinaryReader {
  /// Appends an object that is neither text nor a container.
  mutating func readScalar(_ marker: UInt8, at offset: Int) throws(Fault) {
    switch marker {
    case 0x00: tape.append(.null, at: offset)
    case 0x08: tape.append(.false, at: offset)
    case 0x09: tape.append(.true, at: offset)
    case 0x10...0x14: try readInteger(width: 1 << Int(marker & 0xF), at: offset)
    case 0x22:
      let bits = UInt32(truncatingIfNeeded: try bits(width: 4, at: offset))
      tape.append(.real, Double(Float(bitPattern: bits)).bitPattern, at: offset)
    case 0x23: tape.append(.real, try bits(width: 8, at: offset), at: offset)
    case 0x33: tape.append(.date, try bits(width: 8, at: offset), at: offset)
    case 0x40...0x4F:
      let (start, length) = try content(at: offset, size: 1)
      tape.reserve()
      tape.append(.data, traits: 0, at: start, count: length)
    case 0x80...0x8F: try readIdentifier(width: Int(marker & 0xF) + 1, at: offset)
    default: throw unknownMarker(at: offset)
    }
  }

  /// The bytes after a marker, as a number.
  @inline(__always)
  private func bits(width: Int, at offset: Int) throws(Fault) -> UInt64 {
    guard offset + width < tableOffset else {
      throw fault("a number that reaches beyond the file's objects", at: offset)
    }
    let start = UnsafeRawPointer(base + offset + 1)
    if width == 1 { return UInt64(base[offset + 1]) }
    if width == 8 { return start.loadUnaligned(as: UInt64.self).bigEndian }
    var bits: UInt64 = 0
    for index in 1...width { bits = bits << 8 | UInt64(base[offset + index]) }
    return bits
  }

  /// Appends a whole number: of 1, 2 and 4 bytes without a sign, of 8 with, and of 16 with the sign
  /// of 128 bits, of which the last 64 hold every number that a property list can.
  private mutating func readInteger(width: Int, at offset: Int) throws(Fault) {
    let bits = try bits(width: width, at: offset)
    guard width == 16 else { return tape.append(.integer, bits, at: offset) }
    var upper: UInt64 = 0
    for index in 1...8 { upper = upper << 8 | UInt64(base[offset + index]) }
    switch upper {
    case 0 where bits > UInt64(Int64.max): tape.append(.unsigned, bits, at: offset)
    case 0: tape.append(.integer, bits, at: offset)
    case .max where bits > UInt64(Int64.max): tape.append(.integer, bits, at: offset)
    default: throw fault("a whole number of more than 64 bits", at: offset)
    }
  }

  /// Appends the identifier of a keyed archive as XML has it: a dictionary with one key.
  private mutating func readIdentifier(width: Int, at offset: Int) throws(Fault) {
    guard width <= 8 else { throw unknownMarker(at: offset) }
    let bits = try bits(width: width, at: offset)
    let container = tape.count
    tape.open(.object, at: offset)
    tape.appendText("CF$UID", at: offset)
    tape.append(bits > UInt64(Int64.max) ? .unsigned : .integer, bits, at: offset)
    tape.close(container, elementCount: 1)
  }
}
