import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import Observation
import SystemPackage
import Testing

@Suite("A live document") struct LiveDocumentTests {
  let directory = Directory()
  let clock = ManualClock()

  private func open() throws -> DocumentStore<Card> {
    var configuration = DocumentConfiguration()
    configuration.clock = clock
    return try directory.open(configuration)
  }

  private func saved() throws -> Card? {
    directory.text("1.card") == nil ? nil : try directory.open().load("1")
  }

  /// How often a document took its file's name.
  private var saves: Int {
    directory.disk.calls.count { $0.operation == .rename && $0.path.extension == "new" }
  }

  @Test("is one object for all who open it") func one() throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    #expect(try store.open("1") === live)
    try store.open("1").edit { $0.title = "two" }
    #expect(live.value.title == "two")
    #expect(live.hasUnsavedChanges)
  }

  @Test("saves many edits once, when the delay is over") func autosave() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    let before = saves
    for number in 1...100 { live.edit { $0.title = "\(number)" } }
    #expect(try saved()?.title == "one")
    await clock.advance(by: .milliseconds(999))
    #expect(try saved()?.title == "one")
    await clock.advance(by: .milliseconds(1))
    await until { !live.hasUnsavedChanges }
    #expect(try saved()?.title == "100")
    #expect(saves == before + 1)
    // Nothing is left to be saved.
    try store.saveAll()
    try live.save()
    #expect(saves == before + 1)
  }

  @Test("is saved at once where that is asked for, and not again later") func now() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1"))
    let before = saves
    live.edit { $0.title = "a" }
    live.edit(saving: .now) { $0.title += "b" }
    #expect(try saved()?.title == "ab")
    await clock.advance(by: .seconds(1))
    live.edit { $0.title += "c" }
    try store.saveAll()
    #expect(try saved()?.title == "abc")
    #expect(saves == before + 2)
  }

  @Test("is saved with others by the flushes of one") func together() throws {
    let store = try open()
    let lives = try (1...20).map { try store.add(Card(id: "\($0)")) }
    for live in lives { live.edit { $0.title = "new" } }
    let calls = directory.disk.calls.count
    try store.saveAll()
    #expect(directory.disk.calls[calls...].count { $0.operation == .synchronize } == 2)
    #expect(try directory.open().load("20").title == "new")
  }

  @Test("keeps an edit whose saving failed, and saves it later") func failure() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1"))
    directory.disk.failAlways(.write, with: .noSpace)
    live.edit { $0.title = "kept" }
    await clock.advance(by: .seconds(1))
    await until { !directory.problems.all.isEmpty }
    #expect(directory.problems.all.map(\.code) == [.notWritten])
    directory.disk.stopFailing()
    await until {
      await clock.advance(by: .seconds(2), sleepers: 0)
      return !live.hasUnsavedChanges
    }
    #expect(try saved()?.title == "kept")
  }

  @Test("is saved in its time though another cannot be saved") func neighbour() async throws {
    let store = try open()
    let (bad, good) = (try store.add(Card(id: "0")), try store.add(Card(id: "1")))
    bad.edit { $0.colour = [.nan] }
    // It fails more and more often, and is tried less and less.
    for pause in [1, 2, 4, 8, 0] { await clock.advance(by: .seconds(pause)) }
    #expect(directory.problems.all.map(\.code) == [.unencodable])
    for title in ["one", "two"] {
      good.edit { $0.title = title }
      await clock.advance(by: .seconds(1), sleepers: 2)
      await until { !good.hasUnsavedChanges }
      #expect(try saved()?.title == title)
    }
    // An edit that repairs it is saved as soon as any.
    bad.edit { $0.colour = nil }
    await clock.advance(by: .seconds(1), sleepers: 2)
    await until { !bad.hasUnsavedChanges }
    #expect(directory.problems.all.count == 1)
  }

  @Test("is let go with its store where an observer saved it") func letGo() async throws {
    weak var gone: DocumentStore<Card>?
    do {
      let store = try open()
      gone = store
      let live = try store.add(Card(id: "1"))
      withObservationTracking {
        _ = live.value
      } onChange: {
        try? live.save()
      }
      live.edit { $0.title = "by an observer" }
      #expect(!live.hasUnsavedChanges)
      try store.close()
    }
    await clock.advance(by: .seconds(1), sleepers: 0)
    await until { gone == nil }
  }

  @Test("is kept until it is saved, though nobody has it") func released() throws {
    let store = try open()
    try store.add(Card(id: "1")).edit { $0.title = "kept" }
    #expect(try store.open("1").value.title == "kept")
    try store.close()
    #expect(try saved()?.title == "kept")
  }

  @Test("follows its file where it has no unsaved changes") func follow() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    let other = try directory.open()
    var card = try other.load("1")
    card.title = "two"
    try other.save(card)
    directory.disk.notifyWatchers()
    for await value in live.values where value.title == "two" { break }
    #expect(!live.hasUnsavedChanges)
    // Its next change is made of that.
    live.edit(saving: .now) { $0.title += "!" }
    #expect(try saved()?.title == "two!")
    try store.save(Card(id: "1", title: "by hand"))
    #expect(live.value.title == "by hand")
  }

  @Test("is in conflict where its file changed in the midst of an edit") func changedMeanwhile()
    async throws
  {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    try live.edit { card in
      let other = try directory.open()
      var theirs = try other.load("1")
      theirs.title = "theirs"
      try other.save(theirs)
      directory.disk.notifyWatchers()
      // The window that shows it has seen theirs by now; this edit has not.
      for _ in 0..<5000 where live.value.title != "theirs" { usleep(1000) }
      try #require(live.value.title == "theirs")
      card.colour = [1]
    }
    let error = #expect(throws: DocumentError.self) { try live.save() }
    #expect(error?.code == .conflict)
    #expect(try saved()?.title == "theirs")
    try live.resolve(.merge)
    #expect(try saved()?.title == "theirs")
    #expect(try saved()?.colour == [1])
  }

  @Test("says so where its file is removed, and comes back when it is edited")
  func removed() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    let gone = try store.remove("1")
    #expect(live.isRemoved)
    try store.restore(gone)
    #expect(!live.isRemoved)
    try store.remove("1")
    live.edit(saving: .now) { $0.title = "again" }
    #expect(try saved()?.title == "again")
    #expect(!live.isRemoved)
  }

  @Test("takes its unsaved changes to the trash") func trash() throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    live.edit { $0.title = "two" }
    let gone = try store.remove("1")
    #expect(!live.hasUnsavedChanges)
    try store.restore(gone)
    #expect(try saved()?.title == "two")
  }

  @Test("keeps no copy of itself where the file that would be taken cannot be read")
  func keepingNeither() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    live.edit { $0.title = "ours" }
    let newer = #"{"id":"1","title":{"en":"x"},"elements":[],"schemaVersion":4}"#
    try directory.write(newer, to: "1.card")
    await until { live.conflict != nil }
    let error = #expect(throws: DocumentError.self) { try live.resolve(.keepBoth) }
    #expect(error?.code == .newerVersion)
    #expect(live.value.title == "ours" && live.conflict != nil)
    #expect(try store.ids() == ["1"] && directory.text("1.card") == newer)
  }

  @Test(
    "has a conflict where both changed, which ends as one decides",
    arguments: [
      DocumentConflict.Resolution.merge, .keepBoth, .takeTheirs, .takeMine,
    ])
  func conflict(_ resolution: DocumentConflict.Resolution) async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    live.edit { $0.title = "ours" }
    try directory.write(
      #"{"id":"1","title":"one","elements":[{"id":9,"text":"theirs"}],"x":1}"#, to: "1.card")
    await until { live.conflict != nil }
    await clock.advance(by: .seconds(1))
    let error = #expect(throws: DocumentError.self) { try live.save() }
    #expect(error?.code == .conflict)
    #expect(live.value.title == "ours")
    live.edit { $0.colour = [1] }

    let kept = try live.resolve(resolution)
    #expect(live.conflict == nil)
    #expect(!live.hasUnsavedChanges)
    let theirs = [Card.Element(id: 9, text: "theirs")]
    switch resolution {
    case .merge:
      #expect(live.value == Card(id: "1", title: "ours", elements: theirs, colour: [1]))
    case .keepBoth:
      #expect(kept == Card(id: "1 2", title: "ours", colour: [1]))
      #expect(try directory.open().load("1 2") == kept)
      #expect(live.value == Card(id: "1", title: "one", elements: theirs))
    case .takeTheirs: #expect(live.value == Card(id: "1", title: "one", elements: theirs))
    case .takeMine: #expect(live.value == Card(id: "1", title: "ours", colour: [1]))
    }
    #expect(try saved() == live.value)
    #expect(directory.text("1.card")?.contains("\"x\"") == true)
    live.edit(saving: .now) { $0.title += "!" }
    #expect(try saved() == live.value)
  }

  @Test("lets an observer of a conflict resolve it immediately") func resolvedByObserver()
    async throws
  {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    live.edit { $0.title = "ours" }
    withObservationTracking {
      _ = live.conflict
    } onChange: {
      _ = try? live.resolve(.takeTheirs)
    }
    try directory.write(#"{"id":"1","title":"theirs","elements":[]}"#, to: "1.card")
    await until { live.value.title == "theirs" }
    #expect(live.conflict == nil)
  }

  @Test("lets the handler of a problem use the store") func listener() async throws {
    let heard = Mutex<[String]>.Box()
    let holder = Mutex<DocumentStore<Card>?>(nil)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: directory.disk
    ) { problem in
      let store = holder.withLock { $0 }
      heard.add(problem.code.description)
      // The edit that it reports holds the document.
      _ = try? store?.open("1").edit { $0.title = "heard" }
      try? store?.saveAll()
    }
    holder.withLock { $0 = store }
    defer { holder.withLock { $0 = nil } }
    let live = try store.add(Card(id: "1"))
    live.edit { $0.id = "other" }
    await until { !heard.all.isEmpty }
    ProblemReports.wait()
    #expect(heard.all == ["wrongIdentity"])
    #expect(try saved()?.title == "heard")
  }

  @Test("has a conflict no more once its file is as it was, and is saved") func undoneConflict()
    async throws
  {
    let store = try open()
    let live = try store.add(Card(id: "1", title: "one"))
    let text = try #require(directory.text("1.card"))
    live.edit { $0.title = "ours" }
    try directory.disk.remove(Directory.path.appending("1.card"))
    directory.disk.notifyWatchers()
    await until { live.conflict != nil }
    try directory.write(text, to: "1.card")
    await until { live.conflict == nil }
    await until {
      await clock.advance(by: .seconds(1), sleepers: 0)
      return !live.hasUnsavedChanges
    }
    #expect(try saved()?.title == "ours")
  }

  @Test("shows what came while it was opened") func openedMeanwhile() throws {
    let other = try directory.open()
    try other.save(Card(id: "1", title: "one"))
    let disk = MeddledDisk(base: directory.disk) { try? other.save(Card(id: "1", title: "two")) }
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: disk)
    #expect(try store.open("1").value.title == "two")
  }

  @Test("makes the edits of many threads one after the other") func threads() async throws {
    let store = try open()
    let live = try store.add(Card(id: "1", colour: [0]))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 { live.edit { $0.colour?[0] += 1 } }
        }
        group.addTask { for _ in 0..<20 { try? live.save() } }
      }
    }
    try live.save()
    #expect(try saved()?.colour == [4000])
    #expect(directory.problems.all.isEmpty)
  }

  @Test("is tracked by Observation") func tracking() async throws {
    let live = try open().add(Card(id: "1"))
    let changes = Mutex<[String]>.Box()
    func track() {
      withObservationTracking {
        _ = live.value
      } onChange: {
        changes.add("value")
      }
      withObservationTracking {
        _ = live.hasUnsavedChanges
      } onChange: {
        changes.add("unsaved")
      }
    }
    track()
    live.edit { $0.title = "x" }
    // Who looks at the file at that moment may be the one that notifies.
    await until { changes.all.count == 2 }
    #expect(changes.all.sorted() == ["unsaved", "value"])
    track()
    try live.save()
    await until { changes.all.count == 3 }
    #expect(changes.all.sorted() == ["unsaved", "unsaved", "value"])
  }

  @Test("returns what an edit returns, and nothing of one that throws") func results() throws {
    struct Stop: Error {}
    let live = try open().add(Card(id: "1", title: "one"))
    #expect(live.edit { $0.title.count } == 3)
    try live.save()
    #expect(throws: Stop.self) {
      try live.edit { card in
        card.title = "two"
        throw Stop()
      }
    }
    #expect(live.value.title == "one")
    #expect(!live.hasUnsavedChanges)
    live.edit { $0.id = "2" }
    #expect(live.value.id == "1")
    #expect(directory.problems.all.map(\.code) == [.wrongIdentity])
  }
}

extension Mutex<[String]> {
  /// Words as they come.
  final class Box: Sendable {
    private let words = Mutex<[String]>([])
    func add(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
  }
}
