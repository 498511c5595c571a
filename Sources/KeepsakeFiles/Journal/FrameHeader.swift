/// What stands before each record of a ``Journal``.
///
/// | offset | bytes | |
/// | --- | --- | --- |
/// | 0 | 4 | the mark |
/// | 4 | 4 | CRC-32C of all bytes that follow |
/// | 8 | 4 | length of the payload |
/// | 12 | 8 | sequence number |
struct FrameHeader {
  static let size = 20
  private static let mark: UInt32 = 0xF14A_534B

  let sequence: UInt64
  /// The bytes of header and payload together.
  let frameLength: Int

  /// Reads the frame that begins a buffer, if a whole and undamaged one does.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, Self.load(bytes, 0) == Self.mark else { return nil }
    let (length, overflow) = Int(Self.load(bytes, 8) as UInt32).addingReportingOverflow(Self.size)
    guard !overflow, length <= bytes.count else { return nil }
    let frame = UnsafeRawBufferPointer(rebasing: bytes[..<length])
    guard Self.checksum(of: frame) == Self.load(bytes, 4) else { return nil }
    sequence = Self.load(bytes, 12)
    frameLength = length
  }

  /// Whether bytes are what a write that was cut off leaves: a frame's beginning, or the zeros of
  /// a file whose size reached the disk before its bytes.
  static func isTorn(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.count < size || bytes.allSatisfy({ $0 == 0 }) { return true }
    guard load(bytes, 0) == mark, Int(load(bytes, 8) as UInt32) > bytes.count - size else {
      return false
    }
    // A frame that is whole but for its length was not cut off.
    var checksum = CRC32C()
    withUnsafeBytes(of: UInt32(bytes.count - size).littleEndian) { checksum.update($0) }
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[12...]))
    return checksum.value != load(bytes, 4)
  }

  /// Fills the header of a frame whose payload is in place.
  static func write(into frame: UnsafeMutableRawBufferPointer, sequence: UInt64) {
    frame.storeBytes(of: mark.littleEndian, toByteOffset: 0, as: UInt32.self)
    frame.storeBytes(
      of: UInt32(frame.count - size).littleEndian, toByteOffset: 8, as: UInt32.self)
    frame.storeBytes(of: sequence.littleEndian, toByteOffset: 12, as: UInt64.self)
    let checksum = checksum(of: UnsafeRawBufferPointer(frame))
    frame.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
  }

  /// The offset of the next mark after an offset, or the buffer's end.
  static func nextMark(in buffer: UnsafeRawBufferPointer, after offset: Int) -> Int {
    var next = offset + 1
    while next + 4 <= buffer.count {
      if load(buffer, next) == mark { return next }
      next += 1
    }
    return buffer.count
  }

  private static func checksum(of frame: UnsafeRawBufferPointer) -> UInt32 {
    CRC32C.of(UnsafeRawBufferPointer(rebasing: frame[8...]))
  }

  private static func load<Word: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int
  ) -> Word {
    Word(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Word.self))
  }
}
