import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// A file system that reports one flush as successful without performing it, to verify that a test
/// detects the missing flush.
///
/// ``FlushExplorer`` drops each flush of a scenario in turn.
final class FlushDroppingFileSystem: ForwardingFileSystem {
  let base: SimulatedDisk
  private let dropped: Int?
  private let made = Mutex<[SimulatedDisk.Call]>([])

  /// Creates a file system that forwards all calls except one flush.
  ///
  /// - Parameters:
  ///   - base: The disk that performs the calls.
  ///   - dropped: The number of the dropped flush, from 1; `nil` drops none.
  init(_ base: SimulatedDisk, dropping dropped: Int?) {
    self.base = base
    self.dropped = dropped
  }

  /// The flushes so far of files, directories and the whole file system, including a dropped one.
  var flushes: [SimulatedDisk.Call] { made.withLock { $0 } }

  func flush(_ path: FilePath, _ body: () throws(FileError) -> Void) throws(FileError) {
    let number = made.withLock { made in
      made.append(SimulatedDisk.Call(operation: .synchronize, path: path))
      return made.count
    }
    if number != dropped { try body() }
  }

  /// Opens one file.
  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    FlushDroppingFile(try base.open(path, mode), of: self)
  }

  /// Flushes the names in a directory, unless that flush is dropped.
  func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    try flush(path) { () throws(FileError) in try base.synchronizeDirectory(path) }
  }

  /// Flushes the whole file system, unless that flush is dropped.
  func synchronizeAll(at directory: FilePath) throws(FileError) {
    try flush(directory) { () throws(FileError) in try base.synchronizeAll(at: directory) }
  }
}

/// A file whose flushes are counted, one of which may be dropped.
private final class FlushDroppingFile: OpenFile {
  private let base: any OpenFile
  private let owner: FlushDroppingFileSystem

  init(_ base: any OpenFile, of owner: FlushDroppingFileSystem) {
    self.base = base
    self.owner = owner
  }

  var path: FilePath { base.path }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try base.read(into: buffer, at: offset)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int { try base.write(bytes) }

  func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> (end: Int64, count: Int) {
    try base.append(bytes)
  }

  var hasAtomicAppends: Bool { base.hasAtomicAppends }

  func truncate(to size: Int64) throws(FileError) { try base.truncate(to: size) }

  func synchronize() throws(FileError) {
    try owner.flush(path) { () throws(FileError) in try base.synchronize() }
  }

  func synchronizeAll() throws(FileError) {
    try owner.flush(path) { () throws(FileError) in try base.synchronizeAll() }
  }

  func information() throws(FileError) -> FileInformation { try base.information() }
}
