import Foundation
import Glibc
import Keepsake
import Synchronization

/// A process that watches a number which another one changes: the number is the moment of the
/// change, so that the difference to now is how long it took to be seen.
enum ObservingChild {
  enum Kind: String {
    case keepsake, inotify, defaults, defaultsPolled, documents, directory
  }

  static func main(_ arguments: [String], in workspace: Workspace) async throws {
    guard arguments.count == 2, let kind = Kind(rawValue: arguments[0]) else {
      throw CocoaError(.executableRuntimeMismatch)
    }
    Child.exitWithParent()
    switch kind {
    case .keepsake: try await observeStore(arguments[1], in: workspace)
    case .inotify: try observeFile(arguments[1])
    case .documents: try await observeDocuments(arguments[1], in: workspace)
    case .directory: try observeDirectory(arguments[1])
    case .defaults: try observeDefaults(arguments[1], isPolled: false)
    case .defaultsPolled: try observeDefaults(arguments[1], isPolled: true)
    }
  }

  private static func tell(_ moment: Int) {
    let now = Clock.sharedNanoseconds
    Child.say("\(now - moment)")
  }

  private static func observeStore(_ name: String, in workspace: Workspace) async throws {
    let store = try SettingsStore(container: workspace.container(name), arguments: [])
    var isFirst = true
    for await moment in store.values(of: SettingsKey(Fixture.numberKey, default: 0)) {
      if isFirst { Child.say("ready") } else { tell(moment) }
      isFirst = false
    }
  }

  private static func observeFile(_ path: String) throws {
    let inotify = inotify_init1(Int32(IN_CLOEXEC))
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, inotify_add_watch(inotify, path, UInt32(IN_MODIFY)) >= 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    Child.say("ready")
    var events = [UInt8](repeating: 0, count: 4096)
    var moment = 0
    var end: off_t = 0
    while read(inotify, &events, events.count) > 0 {
      while pread(file, &moment, 8, end) == 8 {
        tell(moment)
        end += 8
      }
    }
  }

  /// Says when it received each change of a document.
  private static func observeDocuments(_ name: String, in workspace: Workspace) async throws {
    let store = try DocumentFixture.store(name, in: workspace)
    let changes = store.changes
    Child.say("ready")
    for await _ in changes { Child.say("\(Clock.sharedNanoseconds)") }
  }

  /// Says when the kernel told it that a file took another's place.
  private static func observeDirectory(_ path: String) throws {
    let inotify = inotify_init1(Int32(IN_CLOEXEC))
    guard inotify_add_watch(inotify, path, UInt32(IN_MOVED_TO)) >= 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    Child.say("ready")
    var events = [UInt8](repeating: 0, count: 4096)
    while read(inotify, &events, events.count) > 0 { Child.say("\(Clock.sharedNanoseconds)") }
  }

  /// Waits for a notification and reads again each millisecond, also from a new object.
  ///
  /// - Parameter isPolled: Whether `synchronize()` is called before each reading too.
  private static func observeDefaults(_ suite: String, isPolled: Bool) throws {
    let defaults = try UserDefaults.opened(suite)
    let first = defaults.integer(forKey: Fixture.numberKey)
    let isNotified = Atomic(false)
    let observer = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: nil, queue: nil
    ) { _ in isNotified.store(true, ordering: .relaxed) }
    defer { NotificationCenter.default.removeObserver(observer) }
    Child.say("ready")
    while true {
      usleep(1000)
      if isPolled { _ = defaults.synchronize() }
      let others = isNotified.load(ordering: .relaxed) || !isPolled
      for reader in others ? [defaults, try .opened(suite)] : [defaults] {
        let moment = reader.integer(forKey: Fixture.numberKey)
        if moment != first { return tell(moment) }
      }
    }
  }
}
