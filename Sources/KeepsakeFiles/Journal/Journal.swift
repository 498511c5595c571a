public import SystemPackage

/// A file of records, each added by one append, of which no other is lost when one is damaged.
///
/// A record stands in a frame: a mark, the payload's length, a sequence number that grows by one,
/// and a CRC-32C of all that and the payload (all little-endian; ``FrameHeader``). A reader that
/// meets bytes which are no whole frame looks for the next one that is: a torn write costs itself
/// alone, wherever it stands.
///
/// The journal knows nothing of locks: its owner appends and repairs only while it holds the
/// ``FileCoordinator``'s.
public struct Journal: ~Copyable, Sendable {
  /// The file that holds the records.
  public let file: any OpenFile
  /// Where the last record that was read or appended ends.
  public private(set) var end: Int64
  /// The number of the last record that was read or appended.
  public private(set) var sequence: UInt64

  /// The frame of the record being written, whose memory the next one uses again.
  private var frame = ByteBuffer()

  /// What reading found besides records.
  public struct Reading: Hashable, Sendable {
    /// The stretches that hold no whole record and are followed by one that is.
    public var damage: [Range<Int64>] = []
    /// Where the last whole record ends.
    public var end: Int64 = 0
    /// What follows the last whole record.
    public var tail = Tail.none
    /// Whether anything that was written whole is lost.
    public var isDamaged: Bool { !damage.isEmpty || tail == .damaged }
  }

  /// What follows the last whole record of a journal.
  public enum Tail: Hashable, Sendable {
    /// Nothing.
    case none
    /// The beginning of a record: its write is under way, or was cut off.
    case torn
    /// Bytes that no write leaves.
    case damaged
  }

  /// Opens a journal that is there; nothing is read yet.
  ///
  /// - Parameter mode: What is to be done with it; of one that is only read nothing can be cut away.
  public init(
    opening path: FilePath, _ mode: FileOpenMode = .append, in fileSystem: some FileSystem
  ) throws(FileError) {
    file = try fileSystem.open(path, mode)
    end = 0
    sequence = 0
  }

  /// Makes a journal of one record in place of the one that is there, in one step, and safe
  /// against a power cut on return.
  ///
  /// - Parameters:
  ///   - sequence: The number of the first record; above every one of the old journal's.
  ///   - write: Adds the first record's payload to the bytes it is given.
  package init(
    replacing path: FilePath, in fileSystem: some FileSystem, sequence: UInt64,
    first write: (inout ByteBuffer) -> Void
  ) throws(FileError) {
    var frame = ByteBuffer()
    Self.makeFrame(&frame, sequence: sequence, write)
    let bytes = [UInt8](frame.bytes)
    try fileSystem.replaceFile(at: path, with: bytes)
    file = try fileSystem.open(path, .append)
    end = Int64(bytes.count)
    self.sequence = sequence
  }

  /// Adds one record.
  ///
  /// - Parameter write: Adds the record's payload to the bytes it is given.
  /// - Throws: ``FileError``; the journal is then as it was, or ends in a torn record that the next
  ///   ``repairTail()`` takes away.
  package mutating func append(_ write: (inout ByteBuffer) -> Void) throws(FileError) {
    Self.makeFrame(&frame, sequence: sequence + 1, write)
    try file.writeAll(UnsafeRawBufferPointer(frame.bytes))
    end += Int64(frame.count)
    sequence += 1
    // One huge value does not keep its room for ever.
    if frame.count > 1 << 20 { frame = ByteBuffer() }
  }

  /// Reads the records that follow the last one read or appended.
  ///
  /// - Parameters:
  ///   - limit: The offset to stop at, where more may be under way; the file's end by default.
  ///   - body: Called with each record's number and payload.
  /// - Complexity: O(*n*) in the bytes read.
  public mutating func readOn(
    upTo limit: Int64? = nil, _ body: (UInt64, UnsafeRawBufferPointer) -> Void
  ) throws(FileError) -> Reading {
    var reading = Reading()
    if let limit, limit <= end { return reading }
    let bytes = try file.readAll(from: end, limit: limit.map { Int($0 - end) })
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      var good = 0
      while offset < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        if let header = FrameHeader(rest), isNext(header, after: offset - good) {
          if offset > good {
            reading.damage.append(end + Int64(good)..<end + Int64(offset))
          }
          sequence = header.sequence
          body(
            sequence,
            UnsafeRawBufferPointer(rebasing: rest[FrameHeader.size..<header.frameLength]))
          offset += header.frameLength
          good = offset
        } else {
          offset = FrameHeader.nextMark(in: buffer, after: offset)
        }
      }
      if good < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[good...])
        reading.tail = FrameHeader.isTorn(rest) && end + Int64(good) > 0 ? .torn : .damaged
      }
      end += Int64(good)
    }
    reading.end = end
    return reading
  }

  /// Whether a frame can be the one that follows the last, or one that follows what was damaged.
  ///
  /// The blocks of a file that grew before its bytes reached the disk may hold frames of an older
  /// journal, whole in themselves.
  private func isNext(_ header: FrameHeader, after damaged: Int) -> Bool {
    // No program comes so far, and the numbers after it must have room.
    if header.sequence > .max / 2 { return false }
    if sequence == 0 { return true }
    let (missing, isOlder) = header.sequence.subtractingReportingOverflow(sequence + 1)
    return !isOlder && missing <= UInt64(damaged / FrameHeader.size)
  }

  /// Cuts away whatever follows the last record that was read or appended.
  public func repairTail() throws(FileError) {
    try file.truncate(to: end)
  }

  private static func makeFrame(
    _ frame: inout ByteBuffer, sequence: UInt64, _ write: (inout ByteBuffer) -> Void
  ) {
    frame.removeAll()
    frame.append(unfilled: FrameHeader.size)
    write(&frame)
    FrameHeader.write(into: frame.bytes, sequence: sequence)
  }
}
