import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// Runs a body while no other thread or process writes documents of this kind.
  func withLock<Result: Sendable>(
    _ body: () throws(DocumentError) -> Result
  ) throws(DocumentError) -> Result {
    try lock.withLock { (state) throws(DocumentError) in
      let lock: any FileLock
      do throws(FileError) {
        if let open = state.file {
          lock = open
        } else {
          lock = try fileSystem.lock(at: lockPath)
          state.file = lock
        }
        try lock.acquire()
      } catch {
        throw DocumentError(notWritten: error)
      }
      defer { lock.release() }
      return try body()
    }
  }

  /// Removes the temporary files of writers that were killed at least an hour ago; only the first call
  /// does.
  ///
  /// - Parameter file: A file that was just written: the clock of the file system may differ.
  func removeLeftovers(before file: any OpenFile) {
    let isFirst = lock.withLock { lock in
      defer { lock.hasRemovedLeftovers = true }
      return !lock.hasRemovedLeftovers
    }
    guard isFirst, let now = try? file.information().modified,
      let names = try? fileSystem.contents(ofDirectory: path)
    else { return }
    for name in names where name.hasPrefix(".") && name.hasSuffix(temporarySuffix) {
      let path = path.appending(name)
      // Another process may be writing a newer one.
      guard let found = try? fileSystem.information(at: path),
        found.modified < now - 3600 * 1_000_000_000
      else { continue }
      try? fileSystem.remove(path)
    }
  }

  /// The suffix of temporary files.
  private var temporarySuffix: String { ".\(pathExtension).new" }

  /// A path that no other writer uses.
  var temporaryPath: FilePath {
    let unique = String(UInt64.random(in: .min ... .max), radix: 36)
    return file("." + unique + temporarySuffix)
  }
}
