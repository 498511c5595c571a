import Foundation
import Keepsake
import SystemPackage

/// The process that shows an app's data: a second one would show the same windows again.
///
/// It has kernel locks, which end with the process, however that ends.
struct RunningApp {
  private let files = LocalFileSystem()
  private let lock: any FileLock
  private let portFile: FilePath
  /// The locks: of the app, and of what the file of its port says.
  private static let (appPart, portPart) = (0, 1)

  init(in container: AppContainer) throws {
    try files.createDirectories(container.savedState)
    lock = try files.lock(at: container.savedState.appending("window-access-lock"))
    portFile = container.savedState.appending("window-access-port")
  }

  /// Becomes that process.
  ///
  /// - Returns: The port of the process that is it already; otherwise nil.
  func begin() async throws -> UInt16? {
    while true {
      do throws(FileError) {
        try lock.acquire(Self.appPart, timeout: .zero)
        return nil
      } catch {
        guard error.code == .resourceBusy else { throw error }
      }
      if try lock.isHeldElsewhere(Self.portPart), let bytes = try files.readFile(at: portFile),
        let port = UInt16(String(decoding: bytes, as: UTF8.self))
      {
        return port
      }
      // The other process is starting, or ending.
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Says where other processes find this one.
  func publish(_ port: UInt16) throws {
    try files.replaceFile(at: portFile, with: Array("\(port)".utf8))
    try lock.acquire(Self.portPart, timeout: .zero)
  }
}
