import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("A change by another process") struct NoticingTests {
  let directory = Directory()

  /// A disk whose notifications can be lost.
  private final class LossyDisk: ForwardingFileSystem {
    let base: SimulatedDisk
    private let state = Mutex(State())

    private struct State {
      var isLosing = false
      var handlers: [@Sendable (DirectoryChanges) -> Void] = []
    }

    init(_ base: SimulatedDisk) { self.base = base }

    func watch(
      directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
    ) throws(FileError) -> any FileWatch {
      state.withLock { $0.handlers.append(handler) }
      return try base.watch(directory: directory) { [self] changes in
        if !state.withLock({ $0.isLosing }) { handler(changes) }
      }
    }

    /// Makes changes without a notification of them, then notifies of unknown ones.
    func overflow(during body: () throws -> Void) rethrows {
      state.withLock { $0.isLosing = true }
      try body()
      let handlers = state.withLock { state in
        state.isLosing = false
        return state.handlers
      }
      for handler in handlers { handler(.unknown) }
    }
  }

  private func text(_ id: String, _ title: String) -> String {
    #"{"id":"\#(id)","title":"\#(title)","elements":[]}"#
  }

  private func write(_ count: Int) throws {
    for number in 0..<count { try directory.write(text("\(number)", "old"), to: "\(number).card") }
  }

  /// The calls that examine or list files since some call.
  private func examinations(since call: Int) -> [SimulatedDisk.Call] {
    directory.disk.calls[call...].filter { $0.operation == .examine || $0.operation == .list }
  }

  @Test("P5: among thousands of documents is noticed without examining the others")
  func amongThousands() async throws {
    try write(3000)
    let store = try directory.open()
    var changes = store.changes.makeAsyncIterator()
    let start = directory.disk.calls.count
    try directory.write(text("7", "new"), to: "7.card")
    #expect(try await changes.next() == .changed("7"))
    try directory.write(text("a", "new"), to: "a.card")
    #expect(try await changes.next() == .created("a"))
    try directory.disk.rename(
      Directory.path.appending("8.card"), to: Directory.path.appending("b.card"))
    directory.disk.notifyWatchers()
    #expect(try await changes.next() == .removed("8"))
    #expect(try await changes.next() == .created("b"))
    let calls = examinations(since: start)
    #expect(calls.count <= 20)
    #expect(!calls.contains { $0.operation == .list })
    #expect(!calls.contains { $0.path.lastComponent == "9.card" })
  }

  @Test("P5: is followed by an open document without examining the others")
  func followedAmongThousands() async throws {
    try write(3000)
    let start = directory.disk.calls.count
    let store = try directory.open()
    let (live, unchanged) = (try store.open("7"), try store.open("8"))
    try directory.write(text("7", "new"), to: "7.card")
    await until { live.value.title == "new" }
    try directory.write(text("9", "new"), to: "9.card")
    for name in ["7.card", "8.card"] {
      try directory.disk.remove(Directory.path.appending(name))
    }
    directory.disk.notifyWatchers()
    await until { live.isRemoved && unchanged.isRemoved }
    let calls = examinations(since: start)
    #expect(calls.count <= 30)
    #expect(!calls.contains { $0.operation == .list })
    #expect(!calls.contains { $0.path.lastComponent == "9.card" })
  }

  @Test("P5: is followed by an open document when the loop over changes began after it")
  func loopAfterOpening() async throws {
    try write(10)
    let store = try directory.open()
    let live = try store.open("7")
    let path = Directory.path.appending("7.card")
    let file = try directory.disk.open(path, .append)
    try file.truncate(to: 0)
    try file.writeAll(Array(text("7", "new").utf8))
    // The loop begins before the notification.
    var changes = store.changes.makeAsyncIterator()
    await until { live.value.title == "new" }
    directory.disk.notifyWatchers()
    try directory.write(text("8", "new"), to: "8.card")
    #expect(try await changes.next() == .changed("8"))
  }

  @Test("P5: is found by a scan when its notification was lost")
  func lostNotifications() async throws {
    try write(10)
    let disk = LossyDisk(directory.disk)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: disk)
    let live = try store.open("9")
    try disk.overflow { try directory.write(text("9", "new"), to: "9.card") }
    await until { live.value.title == "new" }

    var changes = store.changes.makeAsyncIterator()
    try disk.overflow {
      try directory.write(text("1", "new"), to: "1.card")
      try directory.disk.remove(Directory.path.appending("2.card"))
      try directory.write(text("a", "new"), to: "a.card")
      try directory.write(text("9", "newer"), to: "9.card")
    }
    let expected: [DocumentChange<String>] = [
      .changed("1"), .removed("2"), .changed("9"), .created("a"),
    ]
    for change in expected { #expect(try await changes.next() == change) }
    #expect(live.value.title == "newer")
    // Names are reported again.
    try directory.write(text("3", "new"), to: "3.card")
    #expect(try await changes.next() == .changed("3"))
  }

  @Test("P5: is found later where its file could not be examined, which is reported once")
  func failedExamination() async throws {
    try write(10)
    let store = try directory.open()
    var changes = store.changes.makeAsyncIterator()
    directory.disk.failAlways(.examine)
    try directory.write(text("1", "new"), to: "1.card")
    await until { !directory.problems.all.isEmpty }
    try directory.write(text("2", "new"), to: "2.card")
    // Until it was examined again and failed again.
    let start = directory.disk.calls.count
    await until { examinations(since: start).count >= 2 }
    directory.disk.stopFailing()
    #expect(try await changes.next() == .changed("1"))
    #expect(try await changes.next() == .changed("2"))
    #expect(directory.problems.all.map(\.code) == [.unavailable])
  }

  @Test("P5: by an editor that keeps a backup is one change, and its other files are none")
  func backup() async throws {
    try write(2)
    let store = try directory.open()
    let live = try store.open("1")
    var changes = store.changes.makeAsyncIterator()
    let path = Directory.path.appending("1.card")
    try directory.write("swap", to: ".1.card.swp")
    try directory.disk.rename(path, to: Directory.path.appending("1.card~"))
    try directory.write(text("1", "new"), to: "1.card")
    #expect(try await changes.next() == .changed("1"))
    #expect(live.value.title == "new" && !live.isRemoved)
    try directory.disk.remove(Directory.path.appending(".1.card.swp"))
    // This store's own save, of which the kernel notifies it, too.
    live.edit(saving: .now) { $0.title = "mine" }
    #expect(try await changes.next() == .changed("1"))
    directory.disk.notifyWatchers()
    try directory.write(text("0", "new"), to: "0.card")
    #expect(try await changes.next() == .changed("0"))
  }

  @Test(
    "P5: is noticed in a directory that is removed and made again at once",
    arguments: [true, false])
  func madeAgain(whileLockIsOpen: Bool) async throws {
    try await withTemporaryDirectory { path in
      let directory = path.appending("Documents")
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card") { _ in }
      // An open file in it keeps a removed directory, whose end is not reported then.
      try
        (whileLockIsOpen ? store : DocumentStore<Card>(directory: directory, pathExtension: "card"))
        .save(Card(id: "1"))
      var changes = store.changes.makeAsyncIterator()
      let files = LocalFileSystem()
      // Without a pause: the store checks a second after the last notification.
      for name in try files.contents(ofDirectory: directory) {
        try files.remove(directory.appending(name))
      }
      try files.remove(directory)
      // The file system may give it the number of the one that was removed.
      try files.createDirectory(directory)
      #expect(try await changes.next() == .removed("1"))
      let other = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      for id in ["2", "3", "4"] {
        try other.save(Card(id: id))
        #expect(try await changes.next() == .created(id))
      }
    }
  }

  @Test("P5: is noticed in a directory whose parent was replaced")
  func replacedParent() async throws {
    try await withTemporaryDirectory { path in
      let (parent, old) = (path.appending("parent"), path.appending("old"))
      let files = LocalFileSystem()
      try files.createDirectory(parent)
      let directory = parent.appending("Documents")
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      try store.save(Card(id: "1"))
      var changes = store.changes.makeAsyncIterator()
      try files.rename(parent, to: old)
      try files.createDirectory(parent)
      let other = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      try other.save(Card(id: "2"))
      // The kernel notifies only of what happens in the directory that was moved.
      try files.replaceFile(at: old.appending("Documents").appending("3.card"), with: [])
      #expect(try await changes.next() == .removed("1"))
      #expect(try await changes.next() == .created("2"))
      try other.save(Card(id: "4"))
      #expect(try await changes.next() == .created("4"))
    }
  }
}
