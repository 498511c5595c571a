import KeepsakeBase

/// The bytes of one record in a ``Journal``.
///
/// | offset | bytes | |
/// | --- | --- | --- |
/// | 0 | 4 | the marker, which occurs nowhere else in a frame |
/// | 4 | 5 | CRC-32C of all bytes that follow, 7 bits a byte |
/// | 9 | 4 | length of the escaped payload, 7 bits a byte |
/// | 13 | … | the escaped payload |
///
/// In the file, a zero byte is inserted after each occurrence of the marker's first three bytes in the
/// payload, and no byte of length and checksum equals the marker's first byte. Therefore a value is
/// never mistaken for a record, and a reader finds the next record after any damage in linear time.
/// Numbers are little-endian.
package enum Frame {
  package static let headerSize = 13
  /// The longest payload that a frame can hold, in bytes.
  package static let maximumLength = 1 << 28 - 1

  // The first byte is not valid in UTF-8.
  static let marker: (UInt8, UInt8, UInt8, UInt8) = (0xF5, 0x4B, 0x53, 0x4A)
  private static let markerWord = UInt32(0x4A53_4BF5)

  /// Completes a frame in a buffer that contains ``headerSize`` bytes and then the payload.
  ///
  /// - Returns: Whether the payload fits in a frame.
  package static func close(_ frame: inout ByteBuffer) -> Bool {
    escape(&frame)
    let length = frame.count - headerSize
    if length > maximumLength { return false }
    let bytes = frame.bytes
    bytes.storeBytes(of: markerWord.littleEndian, toByteOffset: 0, as: UInt32.self)
    bytes.storeBytes(of: Digits(length).word, toByteOffset: lengthOffset, as: UInt32.self)
    let checksum = Digits(checksum(of: UnsafeRawBufferPointer(bytes)))
    bytes.storeBytes(of: checksum.word, toByteOffset: 4, as: UInt32.self)
    bytes[8] = checksum[4]
    return true
  }

  private static let lengthOffset = 9

  /// The checksum of a complete frame.
  private static func checksum(of frame: UnsafeRawBufferPointer) -> Int {
    Int(CRC32C.of(UnsafeRawBufferPointer(rebasing: frame[lengthOffset...])))
  }

  /// A number as bytes of 7 bits each, least significant first.
  private struct Digits {
    let number: Int
    init(_ number: Int) { self.number = number }
    subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (7 * index)) & 0x7F }

    /// The first four bytes.
    var word: UInt32 {
      let number = UInt32(truncatingIfNeeded: number)
      let pairs = (number & 0x3FFF, number >> 14 & 0x3FFF)
      func spread(_ pair: UInt32) -> UInt32 { pair & 0x7F | (pair & 0x3F80) << 1 }
      return (spread(pairs.0) | spread(pairs.1) << 16).littleEndian
    }
  }

  // MARK: Escapes

  /// Inserts a zero byte after each occurrence of the marker's first three bytes in the payload.
  private static func escape(_ frame: inout ByteBuffer) {
    var position = escape(in: UnsafeRawBufferPointer(frame.bytes), from: headerSize)
    if position == nil { return }
    let raw = [UInt8](frame.bytes)
    raw.withUnsafeBytes { raw in
      frame.removeAll(from: headerSize)
      var start = headerSize
      while let found = position {
        frame.append(UnsafeRawBufferPointer(rebasing: raw[start..<found + 3]))
        frame.append(0 as UInt8)
        start = found + 3
        position = escape(in: raw, from: start)
      }
      frame.append(UnsafeRawBufferPointer(rebasing: raw[start...]))
    }
  }

  /// A payload without the bytes that ``escape(_:)`` inserted.
  static func unescape(_ payload: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count)
    var start = 0
    while let found = escape(in: payload, from: start) {
      bytes.append(contentsOf: payload[start..<found + 3])
      start = min(found + 4, payload.count)
    }
    bytes.append(contentsOf: payload[start...])
    return bytes
  }

  /// The next offset of the marker's first three bytes.
  @inline(__always)
  static func escape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start
    // Most payloads do not contain the first byte.
    while position + 3 <= bytes.count,
      let found = memchr(base + position, Int32(marker.0), bytes.count - position)
    {
      position = UnsafeRawPointer(found) - base
      if position + 3 > bytes.count { return nil }
      if bytes[position + 1] == marker.1, bytes[position + 2] == marker.2 { return position }
      position += 1
    }
    return nil
  }

  /// The offset of the next marker.
  static func marker(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    while let found = escape(in: bytes, from: position) {
      if found + 4 > bytes.count { return nil }
      if bytes[found + 3] == marker.3 { return found }
      position = found + 1
    }
    return nil
  }

  // MARK: Reading

  /// The result of reading bytes that begin with a marker.
  enum Reading {
    /// A complete frame, with its length in the file.
    case whole(length: Int)
    /// The beginning of a frame, which the end of the bytes cuts off.
    case incomplete
    /// No frame; the next one can begin at an offset.
    case broken(next: Int)
  }

  /// Reads the frame at the offset of a marker.
  ///
  /// Repeated calls over damaged bytes examine each byte a bounded number of times.
  static func read(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    let payload = offset + headerSize
    if payload > bytes.count {
      return marker(in: bytes, from: offset + 4).map { .broken(next: $0) } ?? .incomplete
    }
    var length = 0
    for index in 0..<4 {
      let byte = bytes[offset + lengthOffset + index]
      if byte > 0x7F { return .broken(next: offset + 4) }
      length |= Int(byte) << (7 * index)
    }
    let end = payload + length
    // A record is written by one call, so the marker of another record inside it ends one that was cut off.
    if let next = marker(in: bytes, from: offset + 4), next < end { return .broken(next: next) }
    if end > bytes.count { return .incomplete }
    let frame = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
    let checksum = Digits(checksum(of: frame))
    let isWhole =
      frame.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == checksum.word
      && frame[8] == checksum[4]
    if !isWhole { return .broken(next: end) }
    return .whole(length: end - offset)
  }

  /// Whether bytes are only beginnings of frames, one after the other, as interrupted writes leave them.
  static func isTorn(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while start < bytes.count {
      let end = marker(in: bytes, from: start + 1) ?? bytes.count
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      let known = [marker.0, marker.1, marker.2, marker.3].prefix(part.count)
      guard part.prefix(4).elementsEqual(known) else { return false }
      if part.count >= headerSize {
        guard case .incomplete = read(part, at: 0) else { return false }
        // A frame that is complete except for its length was not cut off.
        var copy = [UInt8](part)
        let length = Digits(part.count - headerSize)
        for index in 0..<4 { copy[lengthOffset + index] = length[index] }
        let checksum = Digits(copy.withUnsafeBytes { Self.checksum(of: $0) })
        if (0..<5).allSatisfy({ part[4 + $0] == checksum[$0] }) { return false }
      }
      start = end
    }
    return true
  }
}
