import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// Runs a body while no other thread or process writes documents of this kind.
  func withLock<Result: Sendable>(
    _ body: () throws(DocumentError) -> Result
  ) throws(DocumentError) -> Result {
    try turn.withLock { (turn) throws(DocumentError) in
      let lock: any FileLock
      do throws(FileError) {
        if let open = turn.lock {
          lock = open
        } else {
          lock = try fileSystem.lock(at: lockPath)
          turn.lock = lock
        }
        try lock.acquire()
      } catch {
        throw DocumentError(notWritten: error)
      }
      defer { lock.release() }
      return try body()
    }
  }

  /// Removes what writers that were killed long ago left half written, before anything is written
  /// here for the first time.
  func removeLeftovers() {
    guard
      turn.withLock({ turn in
        defer { turn.isTidy = true }
        return !turn.isTidy
      })
    else { return }
    guard let names = try? fileSystem.contents(ofDirectory: path) else { return }
    for name in names where name.hasPrefix(".") && name.hasSuffix(temporarySuffix) {
      let path = path.appending(name)
      // Another may be writing a young one.
      guard let found = try? fileSystem.information(at: path),
        found.modified < Self.now - 3600 * 1_000_000_000
      else { continue }
      try? fileSystem.remove(path)
    }
  }

  /// What ends the name of a file that is being written.
  private var temporarySuffix: String { ".\(pathExtension).new" }

  /// A path that no other writer chooses.
  var temporaryPath: FilePath {
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    return file("." + unique + temporarySuffix)
  }
}
