import KeepsakeBase
package import SystemPackage

/// A file of records to which any number of processes append, each record by one write without a lock.
///
/// A record is a ``Frame``. The file system orders the appends; a writer receives the offset of its
/// record and reads the records before it. A frame that was cut off, because the process was killed or
/// the disk was full, remains in the file and is skipped. A journal that another process may have open
/// is never truncated or overwritten.
package struct Journal: ~Copyable, Sendable {
  /// The file that contains the records.
  package private(set) var file: any OpenFile
  /// Whether the file system never interleaves appends of several processes.
  package let hasAtomicAppends: Bool
  /// The offset up to which records were read: the end of the last complete one.
  package private(set) var end: Int64 = 0

  /// The frame of the record being written; the next record reuses its memory.
  private var frame = ByteBuffer()
  /// The buffer into which short appends of other processes are read.
  private var chunk = ByteBuffer(capacity: Self.chunkSize)

  private static let chunkSize = 4096

  /// An item that reading finds.
  package enum Item {
    /// A record's payload and the offsets of its frame.
    case record(UnsafeRawBufferPointer, Range<Int64>)
    /// Bytes between two records that are not a complete record, and whether an interrupted write can
    /// have left them.
    case gap(Range<Int64>, isTorn: Bool)
  }

  /// What follows the last complete record of a journal.
  package enum Tail: Hashable, Sendable {
    /// Nothing.
    case none
    /// The beginning of a record: its write is in progress, or was interrupted.
    case torn
    /// Bytes that no write can have left.
    case damaged
  }

  /// Opens a journal without reading it.
  package init(
    opening path: FilePath, _ mode: FileOpenMode, in fileSystem: some FileSystem
  ) throws(FileError) {
    file = try fileSystem.open(path, mode)
    hasAtomicAppends = file.hasAtomicAppends
  }

  /// Appends a record; ``end`` is unchanged, because other processes' records may precede it.
  ///
  /// - Parameter write: Appends the record's payload to the buffer.
  /// - Returns: The offsets of the record's frame.
  /// - Throws: ``FileError``; the record is then missing from the journal, or incomplete.
  package mutating func append(
    _ write: (inout ByteBuffer) -> Void
  ) throws(FileError) -> Range<Int64> {
    frame.removeAll()
    frame.extend(by: Frame.headerSize)
    write(&frame)
    guard Frame.close(&frame) else {
      throw FileError(
        .write, file.path, .fileTooLarge,
        effect: "a change can have at most \(Frame.maximumLength) bytes")
    }
    defer {
      // One huge value must not occupy its memory permanently.
      if frame.count > 1 << 20 { frame = ByteBuffer() }
    }
    var attempt = 1
    while true {
      do throws(FileError) {
        let (end, count) = try file.append(UnsafeRawBufferPointer(frame.bytes))
        if count == frame.count { return end - Int64(count)..<end }
        // The rest, appended alone, could be read as part of another process's record. If the disk is full,
        // the second attempt fails.
        if attempt == 2 {
          throw FileError(
            .write, file.path, .noSpace,
            effect: "\(count) of \(frame.count) bytes were written, which readers skip")
        }
      } catch {
        if error.code != .interrupted { throw error }
        continue
      }
      attempt += 1
    }
  }

  /// Replaces the open file by another one of the same journal.
  package mutating func replaceFile(_ file: any OpenFile) { self.file = file }

  /// Marks an appended record as read; it must follow the last record that was read.
  package mutating func advance(over record: Range<Int64>) { end = record.upperBound }

  /// Reads the records that follow ``end``.
  ///
  /// - Parameters:
  ///   - limit: The end of the last record to read; the end of the file by default.
  ///   - body: Receives records and gaps in order, and returns whether to continue.
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
        let shouldContinue =
          Frame.escape(in: payload, from: 0) == nil
          ? body(.record(payload, range))
          : Frame.unescape(payload).withUnsafeBytes { body(.record($0, range)) }
        if !shouldContinue { return .none }
        // The next record usually follows immediately.
        position = Frame.marker(in: bytes, from: good)
      }
    }
    if good == bytes.count { return .none }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[good...])
    // The size of a file may be written to the disk before its bytes.
    let isZero = rest.allSatisfy { $0 == 0 } && start + Int64(good) > 0
    return isZero || Frame.isTorn(rest) ? .torn : .damaged
  }
}
