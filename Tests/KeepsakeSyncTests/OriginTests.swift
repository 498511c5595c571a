import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@testable import KeepsakeSync

@Suite("The origins of a store's changes, and their records")
final class OriginTests: SynchronizerHarness {
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

  @Test("A day that no record can have makes it unreadable")
  func recordDays() {
    #expect(OriginRecord(record("1.2.3"))?.day == 20_000)
    for day in [Int.min, -1, .max] { #expect(OriginRecord(record("1.2.3", day: day)) == nil) }
    // What a wrong clock says is made one that it can.
    for time in [Int.min, -86_400, .max] {
      var timing = SyncTiming()
      timing.time = { time }
      let number = SyncLog.Number(generation: 1, offset: 2)
      #expect(OriginRecord(OriginRecord(through: number, day: timing.day).bytes) != nil)
    }
  }

  @Test(
    "Before a change that replaces one of an earlier origin, what of that is under way is refused")
  func earlierOrigin() throws {
    _ = try following()
    set("1", for: "a")
    let store = StoreModel(store.files, origin: "later")
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 7), id: 1, for: store)
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
    #expect(log.usedOrigins == ["then", "last"])
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
}
