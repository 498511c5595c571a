public import SystemPackage

/// A file that a ``FileSystem`` opened.
///
/// A write always appends at the current end of the file: it cannot overwrite another process's
/// bytes.
public protocol OpenFile: AnyObject, Sendable {
  /// The path by which the file was opened.
  var path: FilePath { get }

  /// Reads bytes, perhaps fewer than the buffer holds.
  ///
  /// - Returns: The number of bytes read; 0 at the end of the file.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int

  /// Writes bytes at the end of the file, perhaps not all of them.
  ///
  /// - Returns: The number of bytes written, at least 1.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int

  /// Writes bytes at the end of the file by one call, and returns where they end.
  ///
  /// Threads that share the file must not call this at the same time.
  ///
  /// - Returns: The offset after the last byte written, and the number of bytes written, at least 1.
  func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> (end: Int64, count: Int)

  /// Whether the file system never interleaves an ``append(_:)`` with those of other processes.
  var hasAtomicAppends: Bool { get }

  /// Truncates the file to a size.
  func truncate(to size: Int64) throws(FileError)

  /// Flushes the file's bytes, so that they survive a power cut.
  ///
  /// After an error, nothing that was written to this file can be trusted to be on the disk, even if
  /// a later call succeeds: the kernel discards what it could not write.
  func synchronize() throws(FileError)

  /// Flushes the whole file system that contains the file, as ``FileSystem/synchronizeAll(at:)`` does.
  ///
  /// It reports any write error since the file was opened, even if another caller received it before.
  func synchronizeAll() throws(FileError)

  /// The current attributes of the file.
  func information() throws(FileError) -> FileInformation
}

extension OpenFile {
  /// Writes all bytes at the end of the file, in as many calls as needed.
  ///
  /// - Throws: ``FileError``; some of the bytes may then be at the end of the file.
  @inlinable
  public func writeAll(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      do throws(FileError) {
        let count = try write(rest)
        if count == rest.count { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } catch {
        if error.code != .interrupted { throw error }
      }
    }
  }

  /// Writes all bytes at the end of the file.
  public func writeAll(_ bytes: [UInt8]) throws(FileError) {
    try bytes.span.bytes.withUnsafeBytes { (buffer) throws(FileError) in try writeAll(buffer) }
  }

  /// The bytes from an offset to the end of the file, or at most `limit` bytes.
  ///
  /// - Complexity: O(*n*) in the bytes read.
  public func readAll(from offset: Int64 = 0, limit: Int? = nil) throws(FileError) -> [UInt8] {
    let available = max(0, try retryingInterrupts(information).size - offset)
    return try read(min(Int(available), limit ?? .max), from: offset)
  }

  /// At most `count` bytes from an offset; fewer at the end of the file.
  func read(_ count: Int, from offset: Int64 = 0) throws(FileError) -> [UInt8] {
    if count == 0 { return [] }
    var filled = 0
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      while filled < count {
        do throws(FileError) {
          let read = try self.read(
            into: UnsafeMutableRawBufferPointer(rebasing: raw[filled...]),
            at: offset + Int64(filled))
          if read == 0 { break }
          filled += read
        } catch {
          if error.code == .interrupted { continue }
          failure = error
          break
        }
      }
      initialized = filled
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Repeats a call until no signal interrupts it.
package func retryingInterrupts<Result>(
  _ body: () throws(FileError) -> Result
) throws(FileError) -> Result {
  while true {
    do throws(FileError) {
      return try body()
    } catch {
      if error.code != .interrupted { throw error }
    }
  }
}
