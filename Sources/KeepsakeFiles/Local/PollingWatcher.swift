import KeepsakeBase
import SystemPackage

/// Looks at files and directories four times a second, where the kernel does not tell of changes.
final class PollingWatcher: Sendable {
  private struct Watched {
    var path: FilePath
    var seen: Look
    var handler: @Sendable () -> Bool
  }

  /// What a change cannot leave as it is.
  private struct Look: Equatable {
    var information: FileInformation?
    /// A directory's own files, for a write in place does not change the directory.
    var contents: [String: FileInformation] = [:]
  }

  private struct State {
    var watched: [Int: Watched] = [:]
    var next = 0
    var isRunning = false
  }

  private let state = Mutex(State())

  func watch(
    _ path: FilePath, for events: FileEvents, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    let look = Self.look(at: path)
    let number = state.withLock { state -> Int? in
      if !state.isRunning {
        state.isRunning = startThread { [self] in run() }
        if !state.isRunning { return nil }
      }
      let number = state.next
      state.next += 1
      state.watched[number] = Watched(path: path, seen: look, handler: handler)
      return number
    }
    guard let number else { throw FileError(.watch, path, .resourceTemporarilyUnavailable) }
    return Watch { [self] in state.withLock { $0.watched[number] = nil } }
  }

  private func run() {
    while true {
      usleep(250_000)
      let watched = state.withLock { state in
        if state.watched.isEmpty { state.isRunning = false }
        return state.watched
      }
      if watched.isEmpty { return }
      for (number, entry) in watched {
        let look = Self.look(at: entry.path)
        if look == entry.seen { continue }
        state.withLock { $0.watched[number]?.seen = look }
        _ = entry.handler()
      }
    }
  }

  private static func look(at path: FilePath) -> Look {
    let files = LocalFileSystem()
    var look = Look(information: (try? files.information(at: path)) ?? nil)
    if look.information?.kind == .directory {
      for name in (try? files.contents(ofDirectory: path)) ?? [] {
        look.contents[name] = (try? files.information(at: path.appending(name))) ?? nil
      }
    }
    return look
  }
}
