import KeepsakeBase
package import SystemPackage

/// A file of records to which any number of processes append, each by one write without a lock.
///
/// A record is a ``Frame``. The file system orders the appends; a writer learns where its own landed
/// and reads what came before it. A frame that was cut off, by a kill or a full disk, stays where it
/// is and is skipped; nothing cuts or changes a journal that others may have open.
package struct Journal: ~Copyable, Sendable {
  /// The file that holds the records.
  package private(set) var file: any OpenFile
  /// Whether the file system keeps appends of several processes apart.
  package let hasAtomicAppends: Bool
  /// How far the records were read: behind the last whole one.
  package private(set) var end: Int64 = 0

  /// The frame of the record being written, whose memory the next one uses again.
  private var frame = ByteBuffer()
  /// Where what others appended is read into, as long as it is short.
  private var chunk = ByteBuffer(capacity: Self.chunkSize)

  private static let chunkSize = 4096

  /// What reading comes to.
  package enum Item {
    /// A record's payload and the offsets of its frame.
    case record(UnsafeRawBufferPointer, Range<Int64>)
    /// Bytes between two records that are not a whole one, and whether a write that was cut off
    /// leaves such bytes.
    case gap(Range<Int64>, isTorn: Bool)
  }

  /// What follows the last whole record of a journal.
  package enum Tail: Hashable, Sendable {
    /// Nothing.
    case none
    /// The beginning of a record: its write is under way, or was cut off.
    case torn
    /// Bytes that no write leaves.
    case damaged
  }

  /// Opens a journal; nothing is read yet.
  package init(
    opening path: FilePath, _ mode: FileOpenMode, in fileSystem: some FileSystem
  ) throws(FileError) {
    file = try fileSystem.open(path, mode)
    hasAtomicAppends = file.hasAtomicAppends
  }

  /// Adds one record; ``end`` stays where it is, for others' records may lie before.
  ///
  /// - Parameter write: Adds the record's payload to the bytes it is given.
  /// - Returns: The offsets of the record's frame.
  /// - Throws: ``FileError``; the record is then not in the journal, or not whole.
  package mutating func append(
    _ write: (inout ByteBuffer) -> Void
  ) throws(FileError) -> Range<Int64> {
    frame.removeAll()
    frame.extend(by: Frame.headerSize)
    write(&frame)
    guard Frame.close(&frame) else {
      throw FileError(
        .write, file.path, .fileTooLarge,
        effect: "a change can have \(Frame.maximumLength) bytes; nothing was changed")
    }
    defer {
      // One huge value does not keep its room for ever.
      if frame.count > 1 << 20 { frame = ByteBuffer() }
    }
    var attempt = 1
    while true {
      do throws(FileError) {
        let (end, count) = try file.append(UnsafeRawBufferPointer(frame.bytes))
        if count == frame.count { return end - Int64(count)..<end }
        // The rest would be taken for a part of another's record. A disk that is full says so now.
        if attempt == 2 {
          throw FileError(
            .write, file.path, .noSpace,
            effect: "\(count) of \(frame.count) bytes were written, which do not count")
        }
      } catch {
        if error.code != .interrupted { throw error }
        continue
      }
      attempt += 1
    }
  }

  /// Goes on with another open file of the same journal.
  package mutating func replaceFile(_ file: any OpenFile) { self.file = file }

  /// Counts a record that was appended as read, where it follows what was read.
  package mutating func advance(over record: Range<Int64>) { end = record.upperBound }

  /// Reads what follows the records read so far.
  ///
  /// - Parameters:
  ///   - limit: The offset to stop at, where a record ends; the file's end by default.
  ///   - body: Receives records and gaps in order, and says whether to go on.
  /// - Returns: What follows the last record that was read.
  /// - Complexity: O(*n*) in the bytes read.
  package mutating func read(
    upTo limit: Int64? = nil, _ body: (Item) -> Bool
  ) throws(FileError) -> Tail {
    chunk.removeAll()
    chunk.extend(by: Self.chunkSize)
    let wanted = limit.map { Int($0 - end) } ?? .max
    if wanted <= 0 { return .none }
    let first = end
    let into = UnsafeMutableRawBufferPointer(
      rebasing: chunk.bytes[..<min(wanted, Self.chunkSize)])
    let count = try retryingInterrupts { () throws(FileError) in
      try file.read(into: into, at: first)
    }
    if count == 0 { return .none }
    if count == wanted || (limit == nil && count < into.count) {
      return scan(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(into)[..<count]), body)
    }
    let bytes = try file.readAll(from: first, limit: limit.map { Int($0 - first) })
    return bytes.withUnsafeBytes { scan($0, body) }
  }

  private mutating func scan(_ bytes: UnsafeRawBufferPointer, _ body: (Item) -> Bool) -> Tail {
    let start = end
    var good = 0
    var position = Frame.marker(in: bytes, from: 0)
    while let offset = position {
      switch Frame.read(bytes, at: offset) {
      case .broken(let next): position = Frame.marker(in: bytes, from: next)
      case .incomplete: position = nil
      case .whole(let length):
        if offset > good {
          let gap = UnsafeRawBufferPointer(rebasing: bytes[good..<offset])
          _ = body(
            .gap(start + Int64(good)..<start + Int64(offset), isTorn: Frame.isTorn(gap)))
        }
        let payload = UnsafeRawBufferPointer(
          rebasing: bytes[offset + Frame.headerSize..<offset + length])
        good = offset + length
        end = start + Int64(good)
        let range = start + Int64(offset)..<end
        let goesOn =
          Frame.escape(in: payload, from: 0) == nil
          ? body(.record(payload, range))
          : Frame.unescape(payload).withUnsafeBytes { body(.record($0, range)) }
        if !goesOn { return .none }
        // Most often the next record follows at once.
        position = Frame.marker(in: bytes, from: good)
      }
    }
    if good == bytes.count { return .none }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[good...])
    // The size of a file may reach the disk before its bytes.
    let isZero = rest.allSatisfy { $0 == 0 } && start + Int64(good) > 0
    return isZero || Frame.isTorn(rest) ? .torn : .damaged
  }
}
