import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@testable import KeepsakeSync

@Suite("What is asked of an engine, and taken into a store")
final class SynchronizerTests: SynchronizerHarness {
  /// A store that cannot be written, or whose log does not have yet what another process has changed.
  private final class TroubledStore: SyncStore {
    struct Full: Error {}

    let files = StoreModel(origin: "here")
    var isFull = false
    var oldLog: SyncLog?

    var log: SyncLog { oldLog ?? files.log }

    func receive(_ decide: (SyncView) -> Received?) throws {
      if isFull { throw Full() }
      oldLog = nil
      files.receive(decide)
    }
  }

  @Test("A store that cannot be written is followed again when it can")
  func fullDisk() throws {
    let store = TroubledStore()
    var synchronizer = try following(store)
    for (name, count) in [("a", 20), ("b", 1)] {
      store.files.set([UInt8](repeating: 1, count: count), for: SettingsName(name))
    }
    synchronizer.send(store.files.files.view)
    _ = synchronizer.failed(id: 2, for: store)
    store.isFull = true
    #expect(throws: TroubledStore.Full.self) { try synchronizer.steps(of: store) }
    store.isFull = false
    #expect(try synchronizer.steps(of: store).contains(.follow(id: 3, after: 7)))
  }

  @Test("What another process has changed before the store joins replaces nothing, either")
  func unknownChange() throws {
    let store = TroubledStore()
    store.oldLog = store.log
    store.files.set(bytes("ours"), for: SettingsName("a"))
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(7, ["a": ("theirs", 7)]), id: 1, into: store)
    #expect(store.files.files.values[SettingsName("a")] == bytes("theirs"))
    #expect(store.files.files.preserved[SettingsName("a")] == [bytes("ours")])
    #expect(store.log.changes.isEmpty)
  }

  @Test("It reads, then follows from there on, and is then current")
  func order() throws {
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    set("1", for: "a")
    synchronizer.send(store.files.view)
    #expect(synchronizer.status(of: store) == SyncStatus(.catchingUp, waitingCount: 1))
    #expect(try synchronizer.steps(of: store) == [.read(id: 1)])
    #expect(try synchronizer.steps(of: store).isEmpty)
    try synchronizer.take(snapshot(1), id: 1, into: store)
    synchronizer.send(store.files.view)
    #expect(try synchronizer.steps(of: store) == [.follow(id: 2, after: 1)])
    // Other namespaces of the cluster have got ahead.
    let opened = synchronizer.opened(
      SyncPosition(cluster: "one", revision: 1, engineRevision: 9), id: 2, for: store)
    #expect(opened.isEmpty)
    #expect(synchronizer.status(of: store) == SyncStatus(.catchingUp, waitingCount: 1))
    #expect(try synchronizer.steps(of: store).count == 1)
    try synchronizer.take(.committed(revision: 2), id: 3, into: store)
    #expect(synchronizer.status(of: store) == SyncStatus(.current))
  }

  @Test("It reads again where an engine is another, is behind, or has forgotten")
  func readingAgain() throws {
    for (cluster, revision) in [("two", UInt64(90)), ("one", 6)] {
      let store = StoreModel(origin: "here")
      var synchronizer = try following(store)
      _ = synchronizer.failed(id: 2, for: store)
      #expect(try synchronizer.steps(of: store) == [.follow(id: 3, after: 7)])
      let steps = synchronizer.opened(
        SyncPosition(cluster: cluster, revision: revision), id: 3, for: store)
      #expect(steps == [.cancel(id: 3), .read(id: 4)])
    }
    var synchronizer = try following()
    #expect(synchronizer.failed(id: 2, .compacted, for: store) == [.read(id: 3)])
  }

  @Test("Answers of a connection that has ended change nothing")
  func lateAnswers() throws {
    var synchronizer = try following()
    _ = synchronizer.failed(id: 2, for: store)
    let change = SyncChange(revision: 8, writes: [key("a"): [1]])
    try synchronizer.take(change, id: 2, into: store)
    try synchronizer.take(snapshot(100), id: 1, into: store)
    try synchronizer.take(.committed(revision: 100), id: 9, into: store)
    #expect(store.log.revision == 7 && store.files.values.isEmpty)
  }

  @Test("What was read is nothing new where another process has received more meanwhile")
  func overtaken() throws {
    var synchronizer = try following()
    #expect(
      synchronizer.failed(id: 2, .compacted, for: store) == [.read(id: 3)])
    // The other process receives a value that was written after the engine was read.
    var other = Synchronizer(limits: limits) { 20_000 }
    #expect(try other.steps(of: store) == [.follow(id: 1, after: 7)])
    _ = other.opened(SyncPosition(cluster: "one", revision: 7), id: 1, for: store)
    let change = SyncChange(revision: 9, writes: [key("a"): bytes("1")])
    try other.take(change, id: 1, into: store)
    try synchronizer.take(snapshot(8), id: 3, into: store)
    #expect(value("a") == "1" && store.log.changes.isEmpty && store.log.revision == 9)
    #expect(try synchronizer.steps(of: store) == [.follow(id: 4, after: 9)])
  }

  @Test("Of a value that was changed again and again, only the last change is sent")
  func lastChange() throws {
    var synchronizer = try following()
    for number in 0..<1_000 { set("\(number)", for: "a") }
    #expect(synchronizer.waitingCount(in: store.log) == 1)
    let commit = try #require(try commit(of: &synchronizer)).commit
    #expect(commit.writes == [key("a"): bytes("999"), here: record("1.1000.0")])
    #expect(commit.conditions == [here: 0])
  }

  @Test("A change that is not on disk yet is not sent; what the disk has in its place is")
  func notDurable() throws {
    var synchronizer = try following()
    set("1", for: "a")
    synchronizer.send(store.files.view)
    set("2", for: "b")
    set("3", for: "a")
    let commit = try #require(try commit(of: &synchronizer)).commit
    #expect(commit.writes == [key("a"): bytes("1"), here: record("1.1.0")])
  }

  @Test("Changes are sent in order, as many at once as the engine takes")
  func batches() throws {
    var synchronizer = try following()
    for name in ["a", "b", "c", "long key", "d"] { set("1", for: name) }
    var sent: [[String]] = []
    while let (id, commit) = try commit(of: &synchronizer) {
      let names = commit.writes.keys.compactMap { key in
        if case .value(let bytes) = key { String(decoding: bytes, as: UTF8.self) } else { nil }
      }
      sent.append(names.sorted())
      try synchronizer.take(.committed(revision: UInt64(sent.count) + 7), id: id, into: store)
    }
    #expect(sent == [["a", "b"], ["c"], ["long key"], ["d"]])
    #expect(synchronizer.waitingCount(in: store.log) == 0 && store.log.changes.count == 5)
  }

  @Test("What the engine has shown to another process is not sent from an older view")
  func shownMeanwhile() throws {
    var synchronizer = try following()
    set("1", for: "a")
    _ = try synchronizer.steps(of: store)
    synchronizer.send(store.files.view)
    var update = SyncLog.Update()
    (update.cluster, update.revision) = ("one", 8)
    update.shown = ["here": try #require(store.log.changes.values.first?.number)]
    store.receive { _ in
      var received = Received()
      received.update = update
      return received
    }
    #expect(try commit(of: &synchronizer) == nil)
  }

  @Test("Changes are sent at once to an engine that takes any number")
  func unlimited() throws {
    for name in ["a", "b", "c"] { set("1", for: name) }
    var queue = SendQueue(store.files.view, day: 20_000)
    let next = queue.next(limits: SyncLimits(writes: .max, length: 1000), mayOffer: true) { _ in nil
    }
    guard case .commit(let commit) = next else {
      Issue.record("There is no commit.")
      return
    }
    #expect(commit.writes.count == 4)
  }

  @Test("A value that the engine does not take stays, and holds up no other")
  func largeValues() throws {
    var synchronizer = try following()
    set("larger than it takes", for: "a")
    for name in ["b", "c"] { set("1", for: name) }
    #expect(try commit(of: &synchronizer) == nil)
    #expect(
      synchronizer.status(of: store)
        == SyncStatus(.catchingUp, waitingCount: 2, tooLarge: ["a"]))
    let (id, commit) = try #require(try commit(of: &synchronizer))
    #expect(commit.writes.count == 3 && commit.writes[key("a")] == nil)
    try synchronizer.take(.committed(revision: 8), id: id, into: store)
    let change = SyncChange(revision: 8, writes: commit.writes)
    try synchronizer.take(change, id: 2, into: store)
    #expect(store.log.changes.keys.map(\.string) == ["a"])
    #expect(value("a") == "larger than it takes")
    #expect(try self.commit(of: &synchronizer) == nil)
    #expect(synchronizer.status(of: store) == SyncStatus(.current, tooLarge: ["a"]))
    // Another change, also one of the value itself, waits until it was looked at.
    set("larger than it takes, too", for: "a")
    #expect(synchronizer.status(of: store) == SyncStatus(.catchingUp, waitingCount: 1))
    #expect(try self.commit(of: &synchronizer) == nil)
    #expect(synchronizer.status(of: store) == SyncStatus(.current, tooLarge: ["a"]))
    set("small", for: "a")
    #expect(synchronizer.status(of: store) == SyncStatus(.catchingUp, waitingCount: 1))
    #expect(try self.commit(of: &synchronizer)?.commit.writes[key("a")] == bytes("small"))
  }

  @Test("A value that is made smaller while it waits for its turn again is sent")
  func shrinking() throws {
    final class ShrinkingStore: SyncStore {
      let files: StoreModel
      var isAtOnce = false

      init(_ files: StoreModel) { self.files = files }

      var log: SyncLog { files.log }

      func receive(_ decide: (SyncView) -> Received?) {
        files.receive(decide)
        if isAtOnce { files.set([1], for: SettingsName("a")) }
        isAtOnce = false
      }
    }
    let shrinking = ShrinkingStore(store)
    var synchronizer = try following()
    set("larger than it takes", for: "a")
    set("1", for: "b")
    synchronizer.send(store.files.view)
    shrinking.isAtOnce = true
    _ = try synchronizer.steps(of: shrinking)
    #expect(!shrinking.isAtOnce)
    #expect(synchronizer.waitingCount(in: store.log) == 2)
  }

  @Test(
    "What a connection brings does not count where the log is about another engine since, or is an older one",
    arguments: ["one", "two"])
  func replacedLog(cluster: String) throws {
    var synchronizer = try following()
    store.receive { _ in
      var received = Received()
      (received.update.cluster, received.update.revision) = (cluster, cluster == "one" ? 3 : 50)
      return received
    }
    let revision = store.log.revision
    let change = SyncChange(revision: 1001, writes: [key("a"): bytes("1")])
    try synchronizer.take(change, id: 2, into: store)
    #expect(value("a") == nil && store.log.revision == revision)
    #expect(
      try synchronizer.steps(of: store) == [.cancel(id: 2), .follow(id: 3, after: revision)])
    try synchronizer.take(change, id: 2, into: store)
    #expect(store.log.revision == revision)
  }

  @Test("A value that was too large, and was made smaller before it was sent, is not called so")
  func noLongerLarge() throws {
    var synchronizer = try following()
    set("larger than it takes", for: "a")
    set("1", for: "b")
    synchronizer.send(store.files.view)
    set("small", for: "a")
    for _ in 0..<2 {
      _ = try synchronizer.steps(of: store)
      #expect(
        synchronizer.status(of: store) == SyncStatus(.catchingUp, waitingCount: 2))
      if synchronizer.needsView { synchronizer.send(store.files.view) }
    }
    #expect(!synchronizer.needsView)
  }

  @Test("A commit whose answer was lost is refused the second time, and is not made a third time")
  func lostAnswer() throws {
    var synchronizer = try following()
    set("1", for: "a")
    let (id, _) = try #require(try commit(of: &synchronizer))
    let record = SyncItem(value: self.record("1.1.0"), revision: 9)
    try synchronizer.take(.refused(current: [here: record]), id: id, into: store)
    #expect(try commit(of: &synchronizer) == nil)
    set("2", for: "a")
    let next = try #require(try commit(of: &synchronizer)).commit
    #expect(next.conditions == [here: 9])
  }

  @Test("A change that the engine has taken is seen until what came after it is seen")
  func noFlicker() throws {
    var synchronizer = try following()
    set("mine", for: "a")
    let (id, commit) = try #require(try commit(of: &synchronizer))
    try synchronizer.take(.committed(revision: 9), id: id, into: store)
    let before = SyncChange(revision: 8, writes: [key("a"): bytes("theirs")])
    try synchronizer.take(before, id: 2, into: store)
    #expect(store.files.received.isEmpty && value("a") == "mine")
    let own = SyncChange(revision: 9, writes: commit.writes)
    try synchronizer.take(own, id: 2, into: store)
    #expect(store.files.received.isEmpty && store.log.changes.isEmpty && value("a") == "mine")
    let after = SyncChange(revision: 10, writes: [key("a"): nil])
    try synchronizer.take(after, id: 2, into: store)
    #expect(store.files.received.map(\.string) == ["a"] && value("a") == nil)
  }

  @Test("A commit that comes again changes nothing")
  func repeated() throws {
    var synchronizer = try following()
    let first = SyncChange(revision: 8, writes: [key("a"): bytes("1")])
    try synchronizer.take(first, id: 2, into: store)
    let second = SyncChange(revision: 9, writes: [key("a"): bytes("2")])
    try synchronizer.take(second, id: 2, into: store)
    try synchronizer.take(first, id: 2, into: store)
    #expect(value("a") == "2" && store.log.revision == 9)
  }

  @Test("What was removed while a store was away is removed there, and does not come back")
  func removedMeanwhile() throws {
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(5, ["a": ("1", 4), "b": ("2", 5)]), id: 1, into: store)
    _ = try synchronizer.steps(of: store)
    #expect(synchronizer.failed(id: 2, .compacted, for: store) == [.read(id: 3)])
    try synchronizer.take(snapshot(90, ["b": ("2", 5), "c": ("3", 80)]), id: 3, into: store)
    #expect(value("a") == nil && value("b") == "2" && value("c") == "3")
    #expect(store.log.changes.isEmpty && store.files.preserved.isEmpty)
  }

  @Test(
    "What a commit has made that was not answered counts once another one is answered",
    arguments: [SyncError.unreachable(""), .rejected("")])
  func doubt(after error: SyncError) throws {
    var synchronizer = try following()
    set("1", for: "a")
    let first = try #require(try commit(of: &synchronizer))
    let change = SyncChange(revision: 8, writes: first.commit.writes)
    var mustWait = synchronizer.mustWait(for: change, in: store)
    #expect(mustWait)
    #expect(synchronizer.failed(id: first.id, error, for: store) == [])
    let second = try #require(try commit(of: &synchronizer))
    mustWait = synchronizer.mustWait(for: change, in: store)
    // An engine that rejects may never give another answer.
    #expect(mustWait == (error != .rejected("")))
    let item = SyncItem(value: try #require(first.commit.writes[here] ?? nil), revision: 8)
    try synchronizer.take(.refused(current: [here: item]), id: second.id, into: store)
    mustWait = synchronizer.mustWait(for: change, in: store)
    #expect(!mustWait)
    #expect(try synchronizer.steps(of: store) == [] && synchronizer.needsView)
    // Of another process it is seen first.
    var other = Synchronizer(limits: limits) { 20_000 }
    _ = try other.steps(of: store)
    _ = other.opened(SyncPosition(cluster: "one", revision: 8), id: 1, for: store)
    mustWait = other.mustWait(for: change, in: store)
    #expect(mustWait && !other.needsView)
    let question = try #require(try commit(of: &other))
    #expect(question.commit == SyncCommit(reading: [here]))
    #expect(other.failed(id: question.id, for: store) == [])
    let again = try #require(try commit(of: &other))
    try other.take(.refused(current: [here: item]), id: again.id, into: store)
    mustWait = other.mustWait(for: change, in: store)
    #expect(!mustWait)
    try other.take(change, id: 1, into: store)
    #expect(store.log.changes.isEmpty)
    #expect(try other.steps(of: store) == [] && other.needsView)
  }

  @Test(
    "What was sent to an engine is not sent again to another one, or to one that was set back",
    arguments: ["one", "two"], [nil, "1"])
  func sentLongAgo(cluster: String, value: String?) throws {
    var synchronizer = try following()
    if value == nil { set("0", for: "a") }
    set(value, for: "a")
    let (id, commit) = try #require(try commit(of: &synchronizer))
    try synchronizer.take(.committed(revision: 8), id: id, into: store)
    try synchronizer.take(SyncChange(revision: 8, writes: commit.writes), id: 2, into: store)
    let change = SyncChange(revision: 9, writes: [key("a"): bytes("2")])
    try synchronizer.take(change, id: 2, into: store)
    _ = synchronizer.failed(id: 2, for: store)
    let following = try synchronizer.steps(of: store)
    guard case .follow(let next, after: 9) = following.first else {
      Issue.record("\(following)")
      return
    }
    let steps = synchronizer.opened(
      SyncPosition(cluster: cluster, revision: 3), id: next, for: store)
    guard case .read(let reading) = steps.last else {
      Issue.record("\(steps)")
      return
    }
    try synchronizer.take(
      snapshot(3, cluster: cluster, ["a": ("3", 2)]), id: reading, into: store)
    #expect(try self.commit(of: &synchronizer) == nil)
    #expect(self.value("a") == "3")
  }

  @Test("An engine that was set back behind an answer is read as a whole, once that can be noted")
  func setBackBehindAnswer() throws {
    let store = TroubledStore()
    var synchronizer = try following(store)
    store.files.set(bytes("1"), for: SettingsName("a"))
    synchronizer.send(store.files.files.view)
    guard case .commit(let id, _) = try synchronizer.steps(of: store).last else {
      Issue.record("Nothing is sent.")
      return
    }
    store.isFull = true
    #expect(throws: Never.self) {
      try synchronizer.take(.committed(revision: 7), id: id, into: store)
    }
    #expect(throws: TroubledStore.Full.self) { try synchronizer.steps(of: store) }
    store.isFull = false
    #expect(try synchronizer.steps(of: store) == [.cancel(id: 2), .read(id: id + 1)])
    #expect(store.log.doubt == .both)
  }

  @Test("What another process finds the engine set back to is what is assumed from then on")
  func setBackForAnother() throws {
    var synchronizer = try following()
    set("1", for: "a")
    let first = try #require(try commit(of: &synchronizer))
    try synchronizer.take(.committed(revision: 57), id: first.id, into: store)
    // The other process has read an older state, which has the record.
    var update = SyncLog.Update()
    (update.cluster, update.revision) = ("one", 6)
    store.receive { _ in
      var received = Received()
      received.update = update
      return received
    }
    let again = try #require(try commit(of: &synchronizer))
    #expect(again.commit.conditions == [here: 0] && again.commit.writes[key("a")] == bytes("1"))
    let record = SyncItem(value: self.record("1.0.0"), revision: 5)
    try synchronizer.take(.refused(current: [here: record]), id: again.id, into: store)
    #expect(try commit(of: &synchronizer)?.commit.conditions == [here: 5])
  }

  @Test("What was edited while no process had it open is sent, unless others changed it, too")
  func edited() throws {
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    let values = ["a": ("1", UInt64(4)), "b": ("2", 5), "c": ("3", 6), "d": ("4", 7)]
    try synchronizer.take(snapshot(7, values), id: 1, into: store)
    store.edit(bytes("edited"), of: SettingsName("a"))
    store.edit(bytes("edited"), of: SettingsName("b"))
    store.edit(nil, of: SettingsName("c"))
    store.edit(bytes("new"), of: SettingsName("e"))
    synchronizer = Synchronizer(limits: limits) { 20_000 }
    #expect(try synchronizer.steps(of: store) == [.read(id: 1)])
    let later = ["a": ("1", UInt64(4)), "b": ("theirs", 9), "c": ("3", 6), "d": ("4", 7)]
    try synchronizer.take(snapshot(9, later), id: 1, into: store)
    #expect(store.log.doubt == nil)
    #expect(Set(store.log.changes.keys.map(\.string)) == ["a", "c", "e"])
    #expect(value("a") == "edited" && value("b") == "theirs" && value("c") == nil)
    #expect(value("d") == "4" && value("e") == "new")
    #expect(store.files.preserved == [SettingsName("b"): [bytes("edited")]])
  }

  @Test(
    "Where an engine is another or was set back, its values count, others are kept, and what only the store has is sent"
  )
  func otherEngines() throws {
    for restored in [
      snapshot(6, ["a": ("1", 4), "d": ("old", 5)]),
      snapshot(900, cluster: "two", ["a": ("1", 4), "d": ("old", 5)]),
    ] {
      let store = StoreModel(origin: "here")
      var synchronizer = Synchronizer(limits: limits) { 20_000 }
      _ = try synchronizer.steps(of: store)
      let values = ["a": ("1", UInt64(4)), "b": ("2", 8), "c": ("3", 9), "d": ("new", 7)]
      try synchronizer.take(snapshot(9, values), id: 1, into: store)
      store.set(bytes("mine"), for: SettingsName("c"))
      _ = try synchronizer.steps(of: store)
      _ = synchronizer.opened(
        SyncPosition(cluster: restored.cluster, revision: 1, engineRevision: restored.revision),
        id: 2, for: store)
      try synchronizer.take(restored, id: 3, into: store)
      #expect(store.files.preserved.keys.map(\.string) == ["d"])
      #expect(Set(store.log.changes.keys.map(\.string)) == ["b", "c"])
      #expect(
        store.files.values.mapValues { String(decoding: $0, as: UTF8.self) } == [
          SettingsName("a"): "1", SettingsName("b"): "2", SettingsName("c"): "mine",
          SettingsName("d"): "old",
        ])
    }
  }
}
