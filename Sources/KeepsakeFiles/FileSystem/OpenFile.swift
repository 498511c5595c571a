public import SystemPackage

/// A file that a ``FileSystem`` opened.
///
/// A write goes to the end of the file, wherever that is by then: no write can cover another
/// process's bytes.
public protocol OpenFile: AnyObject, Sendable {
  /// The path that the file was opened by.
  var path: FilePath { get }

  /// Reads bytes, perhaps fewer than the buffer holds.
  ///
  /// - Returns: How many were read; 0 at the end of the file.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int

  /// Writes bytes at the end of the file, perhaps not all of them.
  ///
  /// - Returns: How many were written, at least 1.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int

  /// Writes bytes at the end of the file by one call, and says where they end.
  ///
  /// Of two threads that share the file only one at a time may do so.
  ///
  /// - Returns: The offset behind the last byte written, and how many were written, at least 1.
  func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> (end: Int64, count: Int)

  /// Whether the file system keeps each ``append(_:)`` apart from those of other processes.
  var hasAtomicAppends: Bool { get }

  /// Cuts the file to a size.
  func truncate(to size: Int64) throws(FileError)

  /// Returns once the file's bytes would survive a power cut.
  ///
  /// After an error nothing that was written to this file can be trusted to be on the disk, not
  /// even when a later call succeeds: the kernel forgets what it could not write.
  func synchronize() throws(FileError)

  /// Returns once everything that was written to the file system which holds the file would survive
  /// a power cut, as ``FileSystem/synchronizeAll(at:)`` does.
  ///
  /// It tells of all that could not be written since the file was opened, whoever was told before.
  func synchronizeAll() throws(FileError)

  /// What the file is now.
  func information() throws(FileError) -> FileInformation
}

extension OpenFile {
  /// Writes all bytes at the end of the file, however many calls that takes.
  ///
  /// - Throws: ``FileError``; part of the bytes may then stand at the file's end.
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

  /// The bytes from an offset to the end of the file, or fewer where a limit is given.
  ///
  /// - Complexity: O(*n*) in the bytes read.
  public func readAll(from offset: Int64 = 0, limit: Int? = nil) throws(FileError) -> [UInt8] {
    let available = max(0, try informationRetried().size - offset)
    let count = min(Int(available), limit ?? .max)
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

  private func informationRetried() throws(FileError) -> FileInformation {
    try retryingInterrupts { () throws(FileError) in try information() }
  }
}

/// Makes a call again as long as a signal interrupts it.
public func retryingInterrupts<Result>(
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
