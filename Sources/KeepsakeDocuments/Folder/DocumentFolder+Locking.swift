import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentFolder {
  /// Runs a body while no other thread or process writes documents of this kind.
  func withLock<Result: Sendable>(
    _ body: () throws(DocumentError) -> Result
  ) throws(DocumentError) -> Result {
    try turn.withLock { (turn) throws(DocumentError) in
      let coordinator: any FileCoordinator
      do throws(FileError) {
        coordinator = try lock(&turn)
      } catch {
        throw DocumentError(notWritten: error)
      }
      defer { coordinator.unlock() }
      return try body()
    }
  }

  /// Takes the lock, in the file that has its name now: whoever removed it would part those who have
  /// it open from those who come.
  private func lock(_ turn: inout Turn) throws(FileError) -> any FileCoordinator {
    while true {
      let coordinator = if let open = turn.coordinator { open } else { try open(&turn) }
      try retryingInterrupts { () throws(FileError) in try coordinator.lock() }
      do throws(FileError) {
        if try fileSystem.information(at: lockPath)?.identity == turn.identity {
          return coordinator
        }
      } catch {
        coordinator.unlock()
        throw error
      }
      coordinator.unlock()
      turn.coordinator = nil
    }
  }

  private func open(_ turn: inout Turn) throws(FileError) -> any FileCoordinator {
    let coordinator = try fileSystem.coordinator(at: lockPath)
    turn.identity = try fileSystem.information(at: lockPath)?.identity
    turn.coordinator = coordinator
    return coordinator
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
    guard let names = try? fileSystem.contents(ofFolder: path) else { return }
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
