import KeepsakeFiles
import KeepsakeTesting
import Synchronization
import SystemPackage

/// A simulated disk that does something else first when a folder is to be flushed.
final class InterruptedDisk: FileSystem {
  private struct Next: Sendable {
    var interruption: (@Sendable () -> Void)?
    var isRefused = false
  }

  private let disk: SimulatedDisk
  private let next = Mutex(Next())

  init(_ disk: SimulatedDisk) { self.disk = disk }

  /// Does something before the next flush of a folder.
  func beforeNextFolderFlush(_ interruption: @escaping @Sendable () -> Void) {
    next.withLock { $0.interruption = interruption }
  }

  /// Lets the next flush of a folder fail.
  func refuseNextFolderFlush() { next.withLock { $0.isRefused = true } }

  func synchronizeFolder(_ path: FilePath) throws(FileError) {
    let next = next.withLock { next in
      defer { next = Next() }
      return next
    }
    next.interruption?()
    if next.isRefused { throw FileError(.synchronize, path, .ioError) }
    try disk.synchronizeFolder(path)
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    try disk.open(path, mode)
  }
  func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try disk.information(at: path)
  }
  func contents(ofFolder path: FilePath) throws(FileError) -> [String] {
    try disk.contents(ofFolder: path)
  }
  func createFolder(_ path: FilePath) throws(FileError) { try disk.createFolder(path) }
  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try disk.rename(path, to: newPath)
  }
  func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try disk.link(path, to: newPath)
  }
  func remove(_ path: FilePath) throws(FileError) { try disk.remove(path) }
  func synchronizeAll(at folder: FilePath) throws(FileError) {
    try disk.synchronizeAll(at: folder)
  }
  func coordinator(at path: FilePath) throws(FileError) -> any FileCoordinator {
    try disk.coordinator(at: path)
  }
  func watch(
    folder: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try disk.watch(folder: folder, handler)
  }
}
