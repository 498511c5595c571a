import Dispatch
import Foundation
import KeepsakeBase
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeFiles

@Suite("Changes in a watched directory") struct DirectoryChangesTests {
  private let files = LocalFileSystem()

  /// The changes that a handler received, and a way to wait for them.
  private final class ReceivedChanges: Sendable {
    private let state = Mutex(State())
    private let received = DispatchSemaphore(value: 0)

    struct State: Equatable {
      var names: Set<FilePath.Component> = []
      var hasUnknown = false
    }

    func add(_ changes: DirectoryChanges) {
      state.withLock { state in
        switch changes {
        case .names(let names): state.names.formUnion(names)
        case .unknown: state.hasUnknown = true
        }
      }
      received.signal()
    }

    /// Waits for a condition, returns all changes so far and forgets them.
    func all(after condition: (State) -> Bool) -> State {
      while !state.withLock({ condition($0) }) {
        if received.wait(timeout: .now() + 60) == .timedOut { break }
      }
      return state.withLock { state in
        defer { state = State() }
        return state
      }
    }
  }

  enum Watcher: CaseIterable {
    case inotify, polling
  }

  private func watch(
    _ directory: FilePath, with watcher: Watcher, _ changes: ReceivedChanges
  ) throws -> any FileWatch {
    let handler: @Sendable (DirectoryChanges) -> Bool = {
      changes.add($0)
      return true
    }
    return switch watcher {
    case .inotify: try InotifyWatcher().watch(directory, for: .files, handler)
    case .polling: try PollingWatcher().watch(directory, for: .files, handler)
    }
  }

  @Test("P6: are the names of files that are created, written, renamed and removed, and no others")
  func names() throws {
    try withTemporaryDirectory { directory in
      for watcher in Watcher.allCases {
        let path = directory.appending("\(watcher)")
        try files.createDirectory(path)
        func file(_ name: String) -> FilePath { path.appending(name) }
        for name in ["written", "renamed", "replaced", "removed", "linked", "other"] {
          try files.replaceFile(at: file(name), with: [1])
        }
        let changes = ReceivedChanges()
        let watch = try watch(path, with: watcher, changes)
        _ = try files.open(file("created"), .createNew(permissions: .ownerReadWrite))
        try files.open(file("written"), .append).writeAll([2])
        try files.rename(file("renamed"), to: file("new name"))
        try files.rename(file("replaced"), to: file("written"))
        try files.remove(file("removed"))
        try files.link(file("linked"), to: file("link"))
        _ = try files.readFile(at: file("other"))
        try files.createDirectory(file("last"))
        let expected: Set<FilePath.Component> = [
          "created", "written", "renamed", "new name", "replaced", "removed", "link", "last",
        ]
        var found = ReceivedChanges.State()
        // A scan of the polling watcher may see only the first of them.
        while !found.names.isSuperset(of: expected), !found.hasUnknown {
          let some = changes.all { !$0.names.isEmpty || $0.hasUnknown }
          if some == ReceivedChanges.State() { break }
          found.names.formUnion(some.names)
          found.hasUnknown = found.hasUnknown || some.hasUnknown
        }
        // The number of links changes with the new one.
        if watcher == .polling { found.names.remove("linked") }
        #expect(found == ReceivedChanges.State(names: expected), "\(watcher)")
        withExtendedLifetime(watch) {}
      }
    }
  }

  @Test(
    "P6: are unknown when the directory itself is renamed or removed", arguments: Watcher.allCases)
  func directoryItself(watcher: Watcher) throws {
    try withTemporaryDirectory { directory in
      let (path, moved) = (directory.appending("directory"), directory.appending("moved"))
      for isMoved in [true, false] {
        try files.createDirectory(path)
        if isMoved { try files.replaceFile(at: path.appending("file"), with: [1]) }
        let changes = ReceivedChanges()
        let watch = try watch(path, with: watcher, changes)
        if isMoved { try files.rename(path, to: moved) } else { try files.remove(path) }
        #expect(changes.all { $0.hasUnknown }.hasUnknown)
        withExtendedLifetime(watch) {}
      }
    }
  }

  @Test("P6: include a name that is not UTF-8; a watcher that polls reports it as unknown")
  func invalidName() throws {
    try withTemporaryDirectory { directory in
      let bytes: [CChar] = [0x66, CChar(bitPattern: 0xFF), 0x67, 0]
      let name = try #require(FilePath.Component(platformString: bytes))
      for watcher in Watcher.allCases {
        let path = directory.appending("\(watcher)")
        try files.createDirectory(path)
        let changes = ReceivedChanges()
        let watch = try watch(path, with: watcher, changes)
        _ = try files.open(path.appending(name), .createNew(permissions: .ownerReadWrite))
        let found = changes.all { !$0.names.isEmpty || $0.hasUnknown }
        #expect(found.names == (watcher == .polling ? [] : [name]))
        #expect(found.hasUnknown == (watcher == .polling))
        withExtendedLifetime(watch) {}
      }
    }
  }

  @Test("P6: are unknown after the kernel's queue overflowed, and names again after that")
  func overflow() throws {
    let limit = try String(
      contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
    try withTemporaryDirectory(isInMemory: true) { directory in
      let (noisy, quiet) = (directory.appending("noisy"), directory.appending("quiet"))
      for directory in [noisy, quiet] { try files.createDirectory(directory) }
      let isBlocked = DispatchSemaphore(value: 0)
      let resume = DispatchSemaphore(value: 0)
      let isFirst = Atomic<Bool>(true)
      let changes = ReceivedChanges()
      let watcher = InotifyWatcher()
      let watches = try [
        watcher.watch(quiet, for: .files) {
          changes.add($0)
          return true
        },
        watcher.watch(noisy, for: .files) { _ in
          if isFirst.exchange(false, ordering: .relaxed) {
            isBlocked.signal()
            resume.wait()
          }
          return true
        },
      ]
      try files.createDirectory(noisy.appending("first"))
      isBlocked.wait()
      // Two events each time, all of which the kernel would have to queue.
      noisy.appending("other").withPlatformString { other in
        for _ in 0..<count {
          mkdir(other, 0o700)
          rmdir(other)
        }
      }
      try files.createDirectory(quiet.appending("lost"))
      resume.signal()
      let lost = changes.all { $0.hasUnknown }
      #expect(lost == ReceivedChanges.State(hasUnknown: true))
      try files.createDirectory(quiet.appending("found"))
      let found = changes.all { !$0.names.isEmpty }
      #expect(found == ReceivedChanges.State(names: ["found"]))
      withExtendedLifetime(watches) {}
    }
  }
}
