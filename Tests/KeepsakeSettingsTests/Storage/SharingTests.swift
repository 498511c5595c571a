import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("Settings that other machines share")
final class SharingTests: SharingHarness {
  @Test("Changes of every process are noted, and what is received is not")
  func noting() throws {
    let disk = SimulatedDisk()
    let stores = [try open(disk), try open(disk)]
    try stores[0].set(1, for: one)
    try stores[1].transaction { $0[two] = 2 }
    try receive(["three": 3], revision: 9, into: stores[0])
    try stores[1].synchronizeAndWait()
    #expect(stores[0].syncLog == stores[1].syncLog)
    #expect(changed(stores[0]) == ["one", "two"])
    #expect(stores[1][SettingsKey("three", default: 0)] == 3)
    #expect(stores[1].syncLog?.revision == 9 && stores[1].syncLog?.cluster == "cluster")
  }

  @Test("Each later change has a higher number, of several in one transaction, too")
  func numbers() throws {
    let store = try open(SimulatedDisk())
    var last: SyncLog.Number?
    for number in 1...20 {
      try store.transaction {
        $0[one] = number
        $0[two] = number
      }
      if number % 7 == 0 { try store.save() }
      let numbers = (store.syncLog?.changes.values.map(\.number) ?? []).sorted()
      #expect(numbers.count == 2 && numbers[0] < numbers[1])
      if let last { #expect(last < numbers[0]) }
      last = numbers[1]
    }
  }

  @Test("What others have is no longer noted, unless it was changed again")
  func shown() throws {
    let store = try open(SimulatedDisk())
    try store.set(1, for: one)
    try store.set(2, for: two)
    let log = try #require(store.syncLog)
    try store.set(3, for: one)
    let last = log.changes.values.map(\.number).max()
    try receive([:], revision: 5, shown: last.map { [log.origin: $0] } ?? [:], into: store)
    #expect(changed(store) == ["one"])
  }

  @Test("The log outlives the journal, an edit and the process; then changes have a new origin")
  func reopening() throws {
    let disk = SimulatedDisk()
    var origins: [String] = []
    for round in 0..<3 {
      let store = try open(disk, isShared: round == 0)
      let key = SettingsKey("key--\(round)", default: 0)
      try store.set(round, for: key)
      try receive(["received": Int64(round + 10)], revision: UInt64(round + 1), into: store)
      if round == 1 { try store.save() }
      let log = try #require(store.syncLog)
      #expect(log.changes.count == round + 1 && log.revision == UInt64(round + 1))
      origins.append(try #require(log.changes[SettingsName(key.name)]).origin)
      if round == 0 {
        try store.save()
        let text = String(decoding: try #require(try disk.readFile(at: path)), as: UTF8.self)
        #expect(text.contains("<!-- Keepsake shares: {"))
        let edited = text.replacing("<integer>0</integer>", with: "<integer>8</integer>")
        try disk.replaceFile(at: path, with: Array(edited.utf8))
      }
    }
    #expect(Set(origins).count == 3)
  }

  @Test("Names that look the same are two in the log of a property list")
  func equivalentNames() throws {
    let disk = SimulatedDisk()
    let names = ["\u{E9}", "e\u{301}"]
    do {
      let store = try open(disk)
      for name in names { try store.set(1, for: SettingsKey(name, default: 0)) }
      try store.save()
    }
    #expect(try open(disk, isShared: false).syncLog?.changes.count == 2)
  }

  @Test("What waits, and the file, grow with the number of settings and not of their changes")
  func manyChanges() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    var sizes: [Int] = []
    for count in [1, 2000] {
      for _ in 0..<count {
        for number in 0..<10 { try store.set(1, for: SettingsKey("\(number)", default: 0)) }
      }
      #expect(store.syncLog?.changes.count == 10)
      try store.save()
      sizes.append(try #require(try disk.readFile(at: path)).count)
    }
    // Numbers of later changes have more digits.
    #expect(sizes[1] < sizes[0] + 100)
    #expect(
      try disk.contents(ofDirectory: path.removingLastComponent()).count {
        $0.contains(".journal-")
      } == 1)
  }

  @Test("A log that a tool has left out of the property list has others join again")
  func missingLog() {
    var log = SyncLog(origin: "")
    var update = SyncLog.Update()
    (update.cluster, update.revision) = ("one", 7)
    log.take(update, at: number(1))
    #expect(log.cluster == nil)
    update = SyncLog.Update()
    update.origin = "next"
    log.take(update, at: number(2))
    (update.cluster, update.revision, update.origin) = ("one", 8, nil)
    log.take(update, at: number(3))
    #expect(log.cluster == "one" && log.revision == 8)
  }

  @Test("Settings that nobody shares have no log")
  func unshared() throws {
    let disk = SimulatedDisk()
    let store = try open(disk, isShared: false)
    try store.set(1, for: one)
    try store.save()
    #expect(store.syncLog == nil)
    let text = String(decoding: try #require(try disk.readFile(at: path)), as: UTF8.self)
    #expect(!text.contains("shares"))
  }

  @Test("A change that comes between makes what is to be received be decided again")
  func conflicts() throws {
    let disk = SimulatedDisk()
    let (store, other) = (try open(disk), try open(disk))
    var attempts = 0
    try store.receive { values in
      attempts += 1
      if attempts == 1 { try? other.set(7, for: one) }
      var received = SettingsStore.ReceivedValues()
      received.update.revision = 3
      if values.log?.changes[SettingsName("one")] == nil {
        received.values = [SettingsName("one"): .integer(1)]
      }
      return received
    }
    #expect(attempts == 2 && store[one] == 7 && store.syncLog?.revision == 3)
    #expect(changed(store) == ["one"])
  }

  @Test("A value that is replaced where it must be kept is kept beside the settings")
  func preserving() throws {
    let store = try open(SimulatedDisk())
    try store.set(1, for: one)
    try store.set(2, for: two)
    try receive(["one": 5, "two": 2], revision: 4, preserves: true, into: store)
    let preserved = try store.preservedValues()
    #expect(preserved.map(\.key) == ["one"] && preserved.map(\.value) == [.integer(1)])
    #expect(store[one] == 5)
  }

  @Test("Many values that are replaced at once are kept in one file, and restored one by one")
  func preservingMany() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    func key(_ number: Int) -> SettingsKey<Int> { SettingsKey("\(number)", default: 0) }
    let numbers = 1...2_000
    try store.transaction { for number in numbers { $0[key(number)] = number } }
    let theirs = Dictionary(uniqueKeysWithValues: numbers.map { ("\($0)", Int64?.some(0)) })
    for _ in 0..<2 { try receive(theirs, revision: 4, preserves: true, into: store) }
    func files() throws -> Int {
      try disk.contents(ofDirectory: "/app/Preferences").count { $0.contains("preserved") }
    }
    #expect(try files() == 1)
    let preserved = try store.preservedValues()
    #expect(preserved.count == numbers.count)
    for (value, left) in zip(preserved, [1_999, 1_998, 1_997]) {
      try store.restore(value)
      #expect(value.value == .integer(Int64(store[SettingsKey(value.key, default: 0)])))
      // Beside the rest, the value that was there before is preserved.
      #expect(try store.preservedValues().count { $0.value != .integer(0) } == left)
    }
  }

  @Test("Values are claimed and offered without being set, and a set makes a change of an offer")
  func offering() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive(["one": 5, "two": 6, "three": 7], revision: 4, into: store)
    try update(store) {
      $0.claims = [SettingsName("one")]
      $0.offers = [SettingsName("two"), SettingsName("three")]
    }
    let log = try #require(store.syncLog)
    #expect(
      log.changes.filter { $0.value.isOffer }.keys.map(\.string).sorted() == ["three", "two"])
    #expect(Set(log.changes.values.map(\.number)).count == 3 && store[two] == 6)
    // The same from the journal, and from the property list.
    #expect(try open(disk, isShared: false).syncLog?.changes == log.changes)
    try store.save()
    #expect(try open(disk, isShared: false).syncLog?.changes == log.changes)
    try store.set(8, for: two)
    #expect(store.syncLog?.changes[SettingsName("two")]?.isOffer == false)
  }

  @Test("What replaces an offer keeps its value, and says that it may still be under way")
  func withdrawing() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive(["one": 5, "two": 6], revision: 4, into: store)
    try update(store) { $0.offers = [SettingsName("one"), SettingsName("two")] }
    let offered = try #require(store.syncLog)
    let last = try #require(offered.changes.values.map(\.number).max())
    try store.receive { _ in
      var received = SettingsStore.ReceivedValues()
      received.update.withdrawals = [SettingsName("one"), SettingsName("two")]
      received.values = [SettingsName("one"): .integer(9), SettingsName("two"): .integer(6)]
      return received
    }
    #expect(store[one] == 9 && changed(store).isEmpty)
    #expect(store.syncLog?.replaced == [offered.origin: last])
    #expect(try store.preservedValues().map(\.value) == [.integer(5)])
    #expect(try open(disk, isShared: false).syncLog?.replaced == [offered.origin: last])
  }

  @Test("Of two processes that take what came from other machines, one decides after the other")
  func receivingTogether() throws {
    let disk = SimulatedDisk()
    let (store, other) = (try open(disk), try open(disk))
    var revisions: [UInt64] = []
    try store.receive { values in
      revisions.append(values.log?.revision ?? 0)
      // Neither changes a value that the other one changes.
      if revisions.count == 1 { try? receive(["two": 2], revision: 12, into: other) }
      var received = SettingsStore.ReceivedValues()
      received.update.revision = max(10, values.log?.revision ?? 0)
      received.values = [SettingsName("one"): .integer(1)]
      return received
    }
    #expect(revisions == [0, 12] && store.syncLog?.revision == 12)
    #expect(store[one] == 1 && store[two] == 2)
    #expect(try open(disk, isShared: false).syncLog?.revision == 12)
  }

  @Test("Origins stay in the order in which they began, as long as a change has them")
  func orderOfOrigins() throws {
    let name = SettingsName("one")
    var log = SyncLog(
      cluster: "all", origin: "z", usedOrigins: ["y", "z"],
      changes: [name: SyncLog.Change(origin: "z", number: number(40))])
    log = SyncLog(cluster: "all", origin: "files").replacing(log, origin: "a")
    log.note(name, number(1))
    #expect(log.earlierOrigins == ["z"] && log.replaced == ["z": number(40)])
    for origin in ["b", "c"] {
      var update = SyncLog.Update()
      update.origin = origin
      log.take(update, at: number(2))
    }
    #expect(log.earlierOrigins == ["z", "a"] && log.usedOrigins == ["y", "z", "a"])
    #expect(SyncLog(log.text) == log)
    var update = SyncLog.Update()
    (update.shown, update.origin) = (["z": number(40)], "d")
    log.take(update, at: number(3))
    log.take(update, at: number(4))
    #expect(log.earlierOrigins == ["a"])
  }

  @Test("A set of another process between decides before an offer and a withdrawal")
  func setMeanwhile() throws {
    let disk = SimulatedDisk()
    let (store, other) = (try open(disk), try open(disk))
    try receive(["one": 5], revision: 4, into: store)
    for isWithdrawal in [false, true] {
      var attempts = 0
      try store.receive { values in
        attempts += 1
        var received = SettingsStore.ReceivedValues()
        let change = values.log?.changes[SettingsName("one")]
        if !isWithdrawal, change == nil { received.update.offers = [SettingsName("one")] }
        if isWithdrawal, change?.isOffer == true {
          received.update.withdrawals = [SettingsName("one")]
        }
        if attempts == 1 { try? other.set(attempts, for: one) }
        return received
      }
      #expect(attempts == 2 && store.syncLog?.changes[SettingsName("one")]?.isOffer == false)
      let log = try #require(store.syncLog)
      let shown = log.changes.values.map(\.number).max().map { [log.origin: $0] } ?? [:]
      try receive([:], revision: 5, shown: shown, into: store)
      try receive(["one": 5], revision: 6, into: store)
      try update(store) { $0.offers = [SettingsName("one")] }
    }
  }

  @Test("An edit that a process finds when it saves is one of which the others know nothing")
  func editFoundBySaving() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive(["one": 1], revision: 1, into: store)
    do {
      let other = try open(disk)
      for value in [2, 3] {
        try other.set(value, for: two)
        try other.save()
      }
    }
    let text = try #require(disk.files[path])
    let edited = String(decoding: text, as: UTF8.self)
      .replacing("<integer>3</integer>", with: "<integer>9</integer>")
    try disk.replaceFile(at: path, with: Array(edited.utf8))
    try store.save()
    #expect(store[two] == 9 && store.syncLog?.doubt == .edited)
  }

  @Test("A property list has the log of its values, and not of what the next journal has")
  func logAtStart() {
    var contents = SettingsContents()
    func received(_ revision: UInt64) -> SyncLog.Update {
      var update = SyncLog.Update()
      update.revision = revision
      return update
    }
    contents.receive([(SettingsName("one"), .integer(1))], received(1), at: 0)
    contents.beginJournal()
    contents.receive([(SettingsName("one"), .integer(2))], received(2), at: 0)
    #expect(contents.logAtStart?.revision == 1 && contents.log?.revision == 2 && !contents.isSaved)
    contents.fold()
    #expect(!contents.isSaved)
    contents.beginJournal()
    contents.fold()
    #expect(contents.logAtStart?.revision == 2 && contents.isSaved)
  }

  @Test("Where a part of the journal is damaged, the log says so", arguments: [true, false])
  func damage(isOpen: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("small.plist")
      func open() throws -> SettingsStore {
        let store = try SettingsStore(
          file: path, fileSystem: LocalFileSystem(), isAutomatic: false
        ) { _ in }
        try store.shareValues()
        return store
      }
      let (store, other) = (try open(), try open())
      try receive(["one": 1], revision: 1, into: other)
      try store.synchronizeAndWait()
      let journal = directory.appending("small.journal-1")
      let start = try #require(try LocalFileSystem().information(at: journal)).size
      try receive(["two": 2], revision: 2, into: other)
      let end = try #require(try LocalFileSystem().information(at: journal)).size
      try receive(["three": 3], revision: 3, into: other)
      let file = try FileDescriptor.open(journal, .writeOnly)
      try file.closeAfter {
        _ = try file.writeAll(
          toAbsoluteOffset: start, [UInt8](repeating: 0, count: Int(end - start)))
      }
      let reader = isOpen ? store : try open()
      try reader.save()
      #expect(reader[SettingsKey("three", default: 0)] == 3 && reader[two] == 0)
      #expect(reader.syncLog?.doubt == .damaged)
      try receive(["two": 2], revision: 3, into: reader)
      try reader.set(1, for: one)
      try reader.save()
      #expect(reader.syncLog?.doubt == nil)
      #expect(try open().syncLog?.doubt == nil)
    }
  }

  @Test("After a power cut, values and the log are of one time", .timeLimit(.minutes(10)))
  func powerCuts() async throws {
    let explorer = CutExplorer(model: .posix)
    _ = try await explorer.run { disk in
      let store = try open(disk)
      for round in 1...4 {
        try store.set(round, for: one)
        let values = ["two": Int64(round), "round \(round)": 1]
        try receive(values, revision: UInt64(round), into: store)
        if round == 2 { try store.save() }
        if round == 3 {
          try await store.synchronize()
          disk.mark("3")
        }
      }
    } check: { disk, cut in
      let store = try open(disk, isShared: false)
      let log = store.syncLog
      struct Torn: Error {}
      // What was received came with its revision, and what was set is noted.
      guard store[two] == Int(log?.revision ?? 0) else { throw Torn() }
      // Where an earlier one is lost, the log says so.
      let areAllThere = (0..<store[two]).allSatisfy {
        store[SettingsKey("round \($0 + 1)", default: 0)] == 1
      }
      guard areAllThere || log?.doubt == .damaged else { throw Torn() }
      guard store[one] == 0 || changed(store) == ["one"] else { throw Torn() }
      if cut.marks.contains("3"), store[one] < 3 || store[two] < 3 { throw Torn() }
    }
  }
}
