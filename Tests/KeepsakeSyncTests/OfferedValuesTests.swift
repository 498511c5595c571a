import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@testable import KeepsakeSync

@Suite("What only a store that joins has, and offers")
final class OfferedValuesTests: SynchronizerHarness {
  /// A store that has joined, and offers what it has.
  private func offering(
    _ values: [String: String] = ["a": "mine"]
  ) throws -> (synchronizer: Synchronizer, own: SyncKey) {
    for (name, value) in values { set(value, for: name) }
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(7), id: 1, into: store)
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 7), id: 2, for: store)
    return (synchronizer, .origin(store.log.origin))
  }

  @Test("A store that joins has the engine's values, also where it was changed before")
  func joining() throws {
    set("default", for: "a")
    set("mine", for: "b")
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(7, ["a": ("1", 5)]), id: 1, into: store)
    #expect(value("a") == "1" && value("b") == "mine")
    #expect(store.log.changes.keys.map(\.string) == ["b"])
    #expect(store.files.preserved == [SettingsName("a"): [bytes("default")]])
    // From then on, changes are made to what the engine has.
    set("2", for: "a")
    synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 1), id: 1, for: store)
    try synchronizer.take(snapshot(9, ["a": ("3", 9)]), id: 2, into: store)
    #expect(value("a") == "2")
  }

  @Test("What only a joining store has counts where nobody has set it meanwhile")
  func offer() throws {
    var (synchronizer, own) = try offering()
    let (id, commit) = try #require(try commit(of: &synchronizer))
    #expect(commit.conditions == [own: 0, key("a"): 0])
    #expect(commit.writes[key("a")] == bytes("mine"))
    // Another has set it between the read and the commit, and sets it again before that is here.
    let item = SyncItem(value: bytes("2"), revision: 9)
    try synchronizer.take(.refused(current: [key("a"): item]), id: id, into: store)
    #expect(value("a") == "mine")
    let raising = try #require(try self.commit(of: &synchronizer))
    #expect(
      raising.commit.conditions == [own: 0] && raising.commit.writes.keys.map(\.self) == [own])
    try synchronizer.take(.committed(revision: 10), id: raising.id, into: store)
    #expect(synchronizer.status(of: store) == SyncStatus(.current))
    for (revision, value) in [(8, "1"), (9, "2")] {
      let change = SyncChange(revision: UInt64(revision), writes: [key("a"): bytes(value)])
      try synchronizer.take(change, id: 2, into: store)
      #expect(self.value("a") == value)
    }
    let change = SyncChange(revision: 10, writes: raising.commit.writes)
    try synchronizer.take(change, id: 2, into: store)
    #expect(store.log.changes.isEmpty && store.log.replaced.isEmpty)
    #expect(store.files.preserved == [SettingsName("a"): [bytes("mine")]])
  }

  @Test(
    "What was offered is withdrawn where another's value comes before it was sent",
    arguments: [false, true])
  func withdraw(isRead: Bool) throws {
    var (synchronizer, own) = try offering()
    let late = try #require(try commit(of: &synchronizer))
    if isRead {
      let steps = synchronizer.failed(id: 2, .compacted, for: store)
      #expect(steps == [.read(id: 4)])
      try synchronizer.take(snapshot(8, ["a": ("theirs", 8)]), id: 4, into: store)
    } else {
      let change = SyncChange(revision: 8, writes: [key("a"): bytes("theirs")])
      try synchronizer.take(change, id: 2, into: store)
    }
    #expect(value("a") == "theirs" && store.log.changes.isEmpty)
    #expect(store.files.preserved == [SettingsName("a"): [bytes("mine")]])
    // Should others remove theirs, a late commit must not bring ours back.
    #expect(synchronizer.failed(id: late.id, for: store) == [])
    let question = try #require(try commit(of: &synchronizer))
    #expect(question.commit == SyncCommit(reading: [own]))
    try synchronizer.take(.refused(current: [:]), id: question.id, into: store)
    _ = synchronizer.opened(
      SyncPosition(cluster: "one", revision: 8), id: isRead ? 5 : 4, for: store)
    let raising = try #require(try commit(of: &synchronizer)).commit
    #expect(raising.conditions == [own: 0])
    #expect(raising.writes == [own: late.commit.writes[own] ?? nil])
  }

  @Test("Where an offer is set again while its commit has no answer, the next step asks for one")
  func offerSetMeanwhile() throws {
    var (synchronizer, own) = try offering()
    let offer = try #require(try commit(of: &synchronizer))
    #expect(synchronizer.failed(id: offer.id, for: store) == [])
    set("again", for: "a")
    let steps = try synchronizer.steps(of: store)
    #expect(
      steps == [
        .cancel(id: 2), .follow(id: 4, after: 7), .commit(id: 5, SyncCommit(reading: [own])),
      ])
  }

  @Test("A removal withdraws no offer: the engine may never have had a value")
  func removalMeanwhile() throws {
    var (synchronizer, own) = try offering()
    let change = SyncChange(revision: 8, writes: [key("a"): nil])
    try synchronizer.take(change, id: 2, into: store)
    #expect(value("a") == "mine" && store.files.preserved.isEmpty)
    let commit = try #require(try commit(of: &synchronizer)).commit
    #expect(commit.conditions == [own: 0, key("a"): 0])
  }

  @Test("An offer that was rejected is made again after what others have done since")
  func rejectedOffer() throws {
    var (synchronizer, _) = try offering()
    let rejected = try #require(try commit(of: &synchronizer))
    #expect(synchronizer.failed(id: rejected.id, .rejected(""), for: store) == [])
    #expect(try synchronizer.steps(of: store) == [.cancel(id: 2), .follow(id: 4, after: 7)])
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 9), id: 4, for: store)
    #expect(try commit(of: &synchronizer) == nil)
    let changes: [(UInt64, [UInt8]?)] = [(8, bytes("theirs")), (9, nil)]
    for (revision, value) in changes {
      let change = SyncChange(revision: revision, writes: [key("a"): value])
      try synchronizer.take(change, id: 4, into: store)
    }
    #expect(value("a") == nil && store.log.changes.isEmpty)
  }

  @Test("An offer that was not answered is made again after what others have done since")
  func offerAfterSleep() throws {
    var (synchronizer, _) = try offering()
    let lost = try #require(try commit(of: &synchronizer))
    #expect(synchronizer.failed(id: lost.id, for: store) == [])
    let question = try synchronizer.steps(of: store)
    #expect(question.prefix(2) == [.cancel(id: 2), .follow(id: 4, after: 7)])
    try synchronizer.take(.refused(current: [:]), id: 5, into: store)
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 8), id: 4, for: store)
    #expect(try commit(of: &synchronizer) == nil)
    let change = SyncChange(revision: 8, writes: [key("b"): bytes("1")])
    try synchronizer.take(change, id: 4, into: store)
    #expect(try commit(of: &synchronizer)?.commit.conditions == lost.commit.conditions)
  }

  @Test("What is offered is on disk before anything that comes before it is sent")
  func offersAreDurable() throws {
    var (synchronizer, _) = try offering()
    synchronizer.send(store.files.view)
    #expect(!synchronizer.mayBeSentAtOnce(store.files.view))
  }

  @Test("An offer is made after what others have done since it was noted")
  func offerAfterAbsence() throws {
    let (_, own) = try offering()
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    #expect(try commit(of: &synchronizer) == nil)
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 9), id: 1, for: store)
    #expect(try commit(of: &synchronizer) == nil)
    // Another machine has offered the same, and a third one has removed it.
    for (revision, text) in [(8, "theirs"), (9, nil)] as [(UInt64, String?)] {
      let change = SyncChange(revision: revision, writes: [key("a"): text.map(bytes)])
      try synchronizer.take(change, id: 1, into: store)
    }
    #expect(value("a") == nil && store.files.preserved == [SettingsName("a"): [bytes("mine")]])
    let commit = try #require(try commit(of: &synchronizer)).commit
    #expect(commit.writes.keys.map(\.self) == [own])
  }

  @Test("An offer that is refused for a value that should be here has everything be read")
  func staleOffer() throws {
    var (synchronizer, own) = try offering()
    let (id, _) = try #require(try commit(of: &synchronizer))
    let item = SyncItem(value: bytes("theirs"), revision: 6)
    try synchronizer.take(.refused(current: [key("a"): item]), id: id, into: store)
    let steps = try synchronizer.steps(of: store)
    #expect(steps == [.cancel(id: 2), .read(id: 4)])
    try synchronizer.take(snapshot(7, ["a": ("theirs", 6)]), id: 4, into: store)
    #expect(value("a") == "theirs" && store.log.changes.isEmpty && store.log.doubt == nil)
    #expect(store.files.preserved == [SettingsName("a"): [bytes("mine")]])
    #expect(try commit(of: &synchronizer)?.commit.conditions == [own: 0])
  }

  @Test("A copy of a store keeps what it was to offer, also if the other one has withdrawn it")
  func copiedOffer() throws {
    let (_, own) = try offering()
    let copy = StoreModel(store.files, origin: "copy")
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: copy)
    let steps = synchronizer.failed(id: 1, .compacted, for: copy)
    #expect(steps == [.read(id: 2)])
    var later = snapshot(20, ["a": ("theirs", 12)])
    later.items[own] = SyncItem(value: record("1.9.0"), revision: 13)
    try synchronizer.take(later, id: 2, into: copy)
    #expect(copy.files.values == [SettingsName("a"): bytes("theirs")])
    #expect(copy.files.preserved == [SettingsName("a"): [bytes("mine")]])
  }

  @Test("What was offered and is set again is a change of what others have")
  func changedOffer() throws {
    var (synchronizer, own) = try offering()
    set("2", for: "a")
    let commit = try #require(try commit(of: &synchronizer)).commit
    #expect(commit.conditions == [own: 0] && commit.writes[key("a")] == bytes("2"))
    let change = SyncChange(revision: 8, writes: [key("a"): bytes("theirs")])
    try synchronizer.take(change, id: 2, into: store)
    #expect(value("a") == "2")
  }

  @Test("A commit that an answer does not have is not durable for that once it is made")
  func madeAfterQuestion() throws {
    var (synchronizer, _) = try offering(["a": "1", "b": "1"])
    let both = try #require(try commit(of: &synchronizer))
    #expect(both.commit.conditions.count == 3)
    #expect(synchronizer.failed(id: both.id, for: store) == [])
    set("2", for: "a")
    let question = try #require(try commit(of: &synchronizer))
    #expect(question.commit.writes.isEmpty)
    try synchronizer.take(.refused(current: [:]), id: question.id, into: store)
    let change = SyncChange(revision: 8, writes: both.commit.writes)
    let mustWait = synchronizer.mustWait(for: change, in: store)
    #expect(mustWait)
  }

  @Test("What an engine has refused says nothing about the one in its place")
  func refusalOfAnother() throws {
    var (synchronizer, _) = try offering()
    let (id, _) = try #require(try commit(of: &synchronizer))
    let steps = synchronizer.failed(id: 2, .compacted, for: store)
    #expect(steps == [.read(id: 4)])
    try synchronizer.take(snapshot(3, cluster: "two"), id: 4, into: store)
    let item = SyncItem(value: bytes("theirs"), revision: 5000)
    try synchronizer.take(.refused(current: [key("a"): item]), id: id, into: store)
    #expect(store.log.changes[SettingsName("a")]?.isOffer == true)
  }
}
