import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@testable import KeepsakeSync

@Suite("What is asked of an engine, and taken into a store")
struct SynchronizerTests {
  private let limits = SyncLimits(writes: 2, length: 10)
  private let store = StoreModel(origin: "here")
  private let here = SyncKey.origin("here")

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// An origin's record.
  private func record(_ number: String, day: Int = 20_000) -> [UInt8] { bytes("\(number) \(day)") }

  private func key(_ name: String) -> SyncKey { .value(bytes(name)) }

  private func snapshot(
    _ revision: UInt64, cluster: String = "one", _ values: [String: (String, UInt64)] = [:]
  ) -> SyncSnapshot {
    let items = values.map { name, value in
      (key(name), SyncItem(value: bytes(value.0), revision: value.1))
    }
    return SyncSnapshot(
      cluster: cluster, revision: revision, items: Dictionary(uniqueKeysWithValues: items))
  }

  /// What follows from revision 7 on, with the request of the number 2.
  private func following(_ other: (any SyncStore)? = nil) throws -> Synchronizer {
    let store = other ?? store
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(7), id: 1, into: store)
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(cluster: "one", revision: 7, lastCommit: 7, id: 2, for: store)
    return synchronizer
  }

  /// The commit that sends what is in the store.
  private func commit(
    of synchronizer: inout Synchronizer
  ) throws -> (id: UInt64, commit: SyncCommit)? {
    for _ in 0..<2 {
      for case .commit(let id, let commit) in try synchronizer.steps(of: store) {
        return (id, commit)
      }
      if synchronizer.needsView { synchronizer.send(store.files.view) }
    }
    return nil
  }

  private func set(_ text: String?, for name: String) {
    store.set(text.map(bytes), for: SettingsName(name))
  }

  private func value(_ name: String) -> String? {
    store.files.values[SettingsName(name)].map { String(decoding: $0, as: UTF8.self) }
  }

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

  @Test("What is not on disk is sent at once only under an origin of which the disk has a change")
  func originNotOnDisk() throws {
    for isOpenedAgain in [false, true] {
      let store = StoreModel(origin: "here")
      var synchronizer = try following(store)
      synchronizer.send(store.files.view)
      var changed = store.files
      changed.set([1], for: SettingsName("a"))
      #expect(!synchronizer.mayBeSentAtOnce(changed.view))
      store.set([1], for: SettingsName("a"))
      synchronizer.send(store.files.view)
      if isOpenedAgain {
        store.receive { _ in
          var received = Received()
          received.update.origin = "later"
          return received
        }
      }
      var files = store.files
      files.set([1], for: SettingsName("a"))
      #expect(synchronizer.mayBeSentAtOnce(files.view) == !isOpenedAgain)
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

  @Test("A day that no record can have makes it unreadable")
  func recordDays() {
    #expect(OriginRecord(record("1.2.3"))?.day == 20_000)
    for day in [Int.min, -1, .max] { #expect(OriginRecord(record("1.2.3", day: day)) == nil) }
  }

  @Test("It reads, then follows from there on, and is then current")
  func order() throws {
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    set("1", for: "a")
    synchronizer.send(store.files.view)
    #expect(synchronizer.status(of: store) == SyncStatus(.offline(nil), waitingCount: 1))
    #expect(try synchronizer.steps(of: store) == [.read(id: 1)])
    #expect(try synchronizer.steps(of: store).isEmpty)
    try synchronizer.take(snapshot(1), id: 1, into: store)
    synchronizer.send(store.files.view)
    #expect(try synchronizer.steps(of: store) == [.follow(id: 2, after: 1)])
    // Other namespaces of the cluster have got ahead.
    let opened = synchronizer.opened(
      cluster: "one", revision: 9, lastCommit: 1, id: 2, for: store)
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
        cluster: cluster, revision: revision, lastCommit: revision, id: 3, for: store)
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
    _ = other.opened(cluster: "one", revision: 7, lastCommit: 7, id: 1, for: store)
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

  @Test(
    "Before a change that replaces one of an earlier origin, what of that is under way is refused")
  func earlierOrigin() throws {
    _ = try following()
    set("1", for: "a")
    let store = StoreModel(store.files, origin: "later")
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(cluster: "one", revision: 7, lastCommit: 7, id: 1, for: store)
    func next() throws -> (id: UInt64, commit: SyncCommit)? {
      if synchronizer.needsView { synchronizer.send(store.files.view) }
      for case .commit(let id, let commit) in try synchronizer.steps(of: store) {
        return (id, commit)
      }
      return nil
    }
    store.set(bytes("2"), for: SettingsName("a"))
    store.set(bytes("3"), for: SettingsName("a"))
    let first = try #require(try next())
    #expect(first.commit == SyncCommit(conditions: [here: 0], writes: [here: record("1.1.0")]))
    try synchronizer.take(.committed(revision: 8), id: first.id, into: store)
    let second = try #require(try next())
    let later = SyncKey.origin("later")
    #expect(second.commit.conditions == [later: 0])
    #expect(second.commit.writes == [key("a"): bytes("3"), later: record("1.3.0")])
    try synchronizer.take(.committed(revision: 9), id: second.id, into: store)
    for (revision, commit) in [(8, first.commit), (9, second.commit)] {
      let change = SyncChange(revision: UInt64(revision), writes: commit.writes)
      try synchronizer.take(change, id: 1, into: store)
    }
    #expect(store.log.changes.isEmpty && store.log.replaced.isEmpty)
    #expect(try next() == nil)
  }

  @Test("Changes of several earlier origins are sent in the order in which these began")
  func earlierOrigins() throws {
    _ = try following()
    set("1", for: "a")
    let between = StoreModel(store.files, origin: "between")
    between.set(bytes("2"), for: SettingsName("a"))
    let store = StoreModel(between.files, origin: "last")
    var queue = SendQueue(store.files.view, day: 20_000)
    let origin = SyncKey.origin("between")
    // Together, if one commit takes them.
    let all = SyncCommit(
      conditions: [here: 0, origin: 0],
      writes: [here: record("1.1.0"), key("a"): bytes("2"), origin: record("1.2.0")])
    var whole = queue
    let larger = SyncLimits(writes: 2, length: 1000)
    #expect(whole.next(limits: larger, mayOffer: false) { _ in nil } == .commit(all))
    #expect(whole.next(limits: larger, mayOffer: false) { _ in nil } == .nothing)
    let wanted = [
      SyncCommit(conditions: [here: 0], writes: [here: record("1.1.0")]),
      SyncCommit(
        conditions: [origin: 0], writes: [key("a"): bytes("2"), origin: record("1.2.0")]),
    ]
    for commit in wanted {
      #expect(queue.next(limits: limits, mayOffer: false) { _ in nil } == .commit(commit))
    }
  }

  @Test("What earlier origins have under way is refused once something newer was sent")
  func lateAfterPowerCut() throws {
    var synchronizer = try following()
    set("1", for: "a")
    let sent = try #require(try commit(of: &synchronizer)).commit
    try synchronizer.take(SyncChange(revision: 8, writes: sent.writes), id: 2, into: store)
    // What it has sent since, a power cut has taken back.
    let restarted = StoreModel(store.files, origin: "then")
    let (then, limits) = (SyncKey.origin("then"), SyncLimits(writes: 2, length: 1000))
    func commits(
      _ view: SyncView, _ record: (String) -> OriginRecords.Record?
    ) -> [SyncCommit] {
      var (queue, commits) = (SendQueue(view, day: 20_000), [SyncCommit]())
      while case .commit(let commit) = queue.next(limits: limits, mayOffer: true, record: record) {
        commits.append(commit)
      }
      return commits
    }
    #expect(commits(restarted.files.view) { _ in nil }.isEmpty)
    restarted.set(bytes("2"), for: SettingsName("b"))
    let writes = [then: record("1.2.0"), key("b"): bytes("2")]
    #expect(
      commits(restarted.files.view) { _ in nil } == [
        SyncCommit(
          conditions: [here: 0, then: 0],
          writes: writes.merging([here: record("0.0.0")]) { $1 })
      ])
    let known = OriginRecords.Record(through: .init(generation: 1, offset: 1), revision: 8)
    #expect(
      commits(restarted.files.view) { $0 == "here" ? known : nil } == [
        SyncCommit(
          conditions: [here: 8, then: 0],
          writes: writes.merging([here: record("1.1.0")]) { $1 })
      ])
    #expect(
      commits(restarted.files.view) { $0 == "then" ? (.none, 9) : nil } == [
        SyncCommit(conditions: [then: 9], writes: writes)
      ])
    // Also of several, before a commit that takes no more.
    let again = StoreModel(restarted.files, origin: "last")
    again.set(nil, for: SettingsName("b"))
    again.set(bytes("3"), for: SettingsName("c"))
    let origins = commits(again.files.view) { _ in nil }.map { commit in
      Set(commit.writes.keys).intersection([here, then, .origin("last")])
    }
    #expect(origins == [[here, then], [.origin("last")]])
    var log = again.log
    log.removeChanges(shown: ["then": .init(generation: 1, offset: 9)])
    #expect(log.usedOrigins == ["here", "then", "last"])
    log.removeChanges(shown: ["last": .init(generation: 1, offset: 4)])
    #expect(log.usedOrigins == ["last"])
  }

  @Test("No commit has more writes, with the records of all its origins, than the engine takes")
  func manyOrigins() {
    func number(_ origin: Int) -> SyncLog.Number {
      SyncLog.Number(generation: UInt64(origin + 1), offset: 1)
    }
    let origins = (0..<10).map { "origin\($0)" }
    let last = SyncLog.Number(generation: 99, offset: 1)
    let changed = (0..<5).map { number in
      (SettingsName("\(number)"), SyncLog.Change(origin: origins[2 * number], number: last))
    }
    let log = SyncLog(
      cluster: "one", origin: "last", earlierOrigins: origins,
      changes: Dictionary(uniqueKeysWithValues: changed),
      replaced: Dictionary(uniqueKeysWithValues: (0..<10).map { (origins[$0], number($0)) }))
    let view = SyncView(log: log, names: { Set(changed.map(\.0)) }, value: { _ in [2] })
    var (queue, records) = (SendQueue(view, day: 20_000), [String]())
    var (values, count): (Set<SyncKey>, Int) = ([], 0)
    while case .commit(let commit) = queue.next(
      limits: SyncLimits(writes: 4, length: 1000), mayOffer: false, record: { _ in nil })
    {
      count += 1
      #expect(commit.writes.count <= 5 && commit.conditions.count <= 5)
      let sent = commit.writes.keys.compactMap { key in
        if case .origin(let name) = key { name } else { nil }
      }
      records += sent.sorted()
      values.formUnion(commit.writes.keys.filter { if case .value = $0 { true } else { false } })
    }
    #expect(Set(records) == Set(origins) && values.count == 5 && count <= 4)
    #expect(records == records.sorted())
  }

  @Test("What an earlier origin of other files had is refused before what has replaced it is sent")
  func originOfOtherFiles() throws {
    let number = SyncLog.Number(generation: 1, offset: 3)
    let log = SyncLog(
      cluster: "one", revision: 7, origin: "c", earlierOrigins: ["z", "b"],
      changes: [SettingsName("a"): SyncLog.Change(origin: "b", number: number)],
      replaced: ["z": SyncLog.Number(generation: 40, offset: 5)])
    let view = SyncView(log: log, names: { [SettingsName("a")] }, value: { _ in [2] })
    var queue = SendQueue(view, day: 20_000)
    var origins: [SyncKey] = []
    let limits = SyncLimits(writes: 1, length: 10)
    while case .commit(let commit) = queue.next(
      limits: limits, mayOffer: false, record: { _ in nil })
    {
      origins += commit.writes.keys.filter { if case .origin = $0 { true } else { false } }
    }
    #expect(origins == [.origin("z"), .origin("b")])
  }

  @Test(
    "Who reads everything removes records that nobody has used for a month, also with a clock that is ahead",
    arguments: [20_000, 99_999])
  func oldRecords(day: Int) throws {
    var synchronizer = Synchronizer(limits: limits) { day }
    _ = try synchronizer.steps(of: store)
    var snapshot = snapshot(7)
    let days = [
      "one": 19_969, "two": 19_970, "three": 20_000, "here": 19_000, "four": 19_000, "five": 19_000,
    ]
    for (index, (origin, day)) in days.sorted(by: { $0.key < $1.key }).enumerated() {
      let value = record("1.1.0", day: day)
      snapshot.items[.origin(origin)] = SyncItem(value: value, revision: UInt64(index + 1))
    }
    try synchronizer.take(snapshot, id: 1, into: store)
    var removed: [SyncKey: UInt64] = [:]
    while let (id, commit) = try commit(of: &synchronizer) {
      #expect(commit.conditions.count <= 2 && commit.writes.values.allSatisfy { $0 == nil })
      #expect(Set(commit.writes.keys) == Set(commit.conditions.keys))
      removed.merge(commit.conditions) { _, new in new }
      try synchronizer.take(.committed(revision: 8), id: id, into: store)
    }
    #expect(removed == [.origin("five"): 1, .origin("four"): 2, .origin("one"): 4])
  }

  @Test("A member that may not remove old records goes on without that")
  func keptRecords() throws {
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    var snapshot = snapshot(7)
    for (index, day) in [19_000, 20_000].enumerated() {
      let value = record("1.1.0", day: day)
      snapshot.items[.origin("\(index)")] = SyncItem(value: value, revision: UInt64(index + 1))
    }
    try synchronizer.take(snapshot, id: 1, into: store)
    let (id, _) = try #require(try commit(of: &synchronizer))
    #expect(synchronizer.failed(id: id, for: store) == nil)
    #expect(try commit(of: &synchronizer) == nil)
    set("1", for: "a")
    let change = try #require(try commit(of: &synchronizer))
    #expect(synchronizer.failed(id: change.id, for: store) == [])
    #expect(try commit(of: &synchronizer)?.commit == change.commit)
  }

  @Test("A record that the engine has lost is made again")
  func lostRecord() throws {
    var synchronizer = try following()
    set("1", for: "a")
    let first = try #require(try commit(of: &synchronizer))
    try synchronizer.take(.committed(revision: 8), id: first.id, into: store)
    set("2", for: "a")
    let second = try #require(try commit(of: &synchronizer))
    #expect(second.commit.conditions == [here: 8])
    try synchronizer.take(.refused(current: [:]), id: second.id, into: store)
    #expect(try #require(try commit(of: &synchronizer)).commit.conditions == [here: 0])
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
    _ = synchronizer.opened(cluster: "one", revision: 1, lastCommit: 1, id: 1, for: store)
    try synchronizer.take(snapshot(9, ["a": ("3", 9)]), id: 2, into: store)
    #expect(value("a") == "2")
  }

  /// A store that has joined, and offers what it has.
  private func offering(
    _ values: [String: String] = ["a": "mine"]
  ) throws -> (synchronizer: Synchronizer, own: SyncKey) {
    for (name, value) in values { set(value, for: name) }
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(7), id: 1, into: store)
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(cluster: "one", revision: 7, lastCommit: 7, id: 2, for: store)
    return (synchronizer, .origin(store.log.origin))
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

  @Test("What was offered is withdrawn where another's value comes before it was sent")
  func withdrawal() throws {
    for isRead in [false, true] {
      let other = SynchronizerTests()
      try other.withdraw(isRead: isRead)
    }
  }

  private func withdraw(isRead: Bool) throws {
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
      cluster: "one", revision: 8, lastCommit: 8, id: isRead ? 5 : 4, for: store)
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

  @Test("What a commit has made that was not answered counts once another one is answered")
  func doubtfulCommit() throws {
    for error in [SyncError.unreachable(""), .rejected("")] {
      let other = SynchronizerTests()
      try other.doubt(after: error)
    }
  }

  private func doubt(after error: SyncError) throws {
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
    _ = other.opened(cluster: "one", revision: 8, lastCommit: 8, id: 1, for: store)
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

  @Test("A removal withdraws no offer: the engine may never have had a value")
  func removalMeanwhile() throws {
    var (synchronizer, own) = try offering()
    let change = SyncChange(revision: 8, writes: [key("a"): nil])
    try synchronizer.take(change, id: 2, into: store)
    #expect(value("a") == "mine" && store.files.preserved.isEmpty)
    let commit = try #require(try commit(of: &synchronizer)).commit
    #expect(commit.conditions == [own: 0, key("a"): 0])
  }

  @Test("An offer that was not answered is made again after what others have done since")
  func offerAfterSleep() throws {
    var (synchronizer, _) = try offering()
    let lost = try #require(try commit(of: &synchronizer))
    #expect(synchronizer.failed(id: lost.id, for: store) == [])
    let question = try synchronizer.steps(of: store)
    #expect(question.prefix(2) == [.cancel(id: 2), .follow(id: 4, after: 7)])
    try synchronizer.take(.refused(current: [:]), id: 5, into: store)
    _ = synchronizer.opened(cluster: "one", revision: 8, lastCommit: 8, id: 4, for: store)
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
    _ = synchronizer.opened(cluster: "one", revision: 9, lastCommit: 9, id: 1, for: store)
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
      cluster: cluster, revision: 3, lastCommit: 3, id: next, for: store)
    guard case .read(let reading) = steps.last else {
      Issue.record("\(steps)")
      return
    }
    try synchronizer.take(
      snapshot(3, cluster: cluster, ["a": ("3", 2)]), id: reading, into: store)
    #expect(try self.commit(of: &synchronizer) == nil)
    #expect(self.value("a") == "3")
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
        cluster: restored.cluster, revision: restored.revision, lastCommit: 1, id: 2, for: store)
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
