import KeepsakeBase
import SystemPackage

/// Examines files and directories four times a second, if the kernel does not report changes.
final class PollingWatcher: Sendable {
  private struct Watched {
    var path: FilePath
    var last: Snapshot
    var handler: @Sendable (DirectoryChanges) -> Bool
  }

  /// The attributes that show whether there was a change.
  private struct Snapshot: Equatable {
    var information: FileInformation?
    /// The files of a directory, because a write to a file does not change the directory.
    var contents: [FilePath.Component: FileInformation] = [:]

    /// What changed from an older snapshot to this one.
    func changes(since old: Snapshot) -> DirectoryChanges {
      if information?.identity != old.information?.identity { return .unknown }
      let names = Set(contents.keys).union(old.contents.keys)
        .filter { contents[$0] != old.contents[$0] }
      // A name that is not valid UTF-8 is not among the contents.
      return names.isEmpty ? .unknown : .names(names)
    }
  }

  private struct State {
    var watched: [Int: Watched] = [:]
    var next = 0
    var isRunning = false
  }

  private let state = Mutex(State())

  func watch(
    _ path: FilePath, for events: FileEvents,
    _ handler: @escaping @Sendable (DirectoryChanges) -> Bool
  ) throws(FileError) -> any FileWatch {
    let snapshot = Self.snapshot(of: path)
    let number = state.withLock { state -> Int? in
      if !state.isRunning {
        state.isRunning = startThread { [self] in run() }
        if !state.isRunning { return nil }
      }
      let number = state.next
      state.next += 1
      state.watched[number] = Watched(path: path, last: snapshot, handler: handler)
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
        let snapshot = Self.snapshot(of: entry.path)
        if snapshot == entry.last { continue }
        state.withLock { $0.watched[number]?.last = snapshot }
        _ = entry.handler(snapshot.changes(since: entry.last))
      }
    }
  }

  private static func snapshot(of path: FilePath) -> Snapshot {
    let files = LocalFileSystem()
    var snapshot = Snapshot(information: (try? files.information(at: path)) ?? nil)
    if snapshot.information?.kind == .directory {
      for name in (try? files.contents(ofDirectory: path)) ?? [] {
        guard let name = FilePath.Component(name) else { continue }
        snapshot.contents[name] = (try? files.information(at: path.appending(name))) ?? nil
      }
    }
    return snapshot
  }
}
