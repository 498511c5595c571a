import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Loading all documents") struct LoadingTests {
  let directory = Directory()

  @Test("counts as seen what the loop has come to, and nothing else") func seen() async throws {
    let store = try directory.open()
    for id in ["1", "2", "3"] { try store.save(Card(id: id, title: "old")) }
    var mine = try store.load("2")
    let other = try directory.open()
    for id in ["1", "2"] {
      var theirs = try other.load(id)
      theirs.title = "theirs"
      try other.save(theirs)
    }
    for await element in store.loadAll() {
      #expect(element.document?.title == "theirs")
      break
    }
    mine.title = "mine"
    let error = #expect(throws: DocumentError.self) { try store.save(mine) }
    #expect(error?.code == .conflict)
    #expect(try other.load("2").title == "theirs")
    try store.save(Card(id: "1", title: "mine"))
  }

  @Test("reports the faults of files that it read and nobody came to") func unheard() async throws {
    let store = try directory.open()
    for id in ["1", "2", "3"] { try store.save(Card(id: id)) }
    try directory.write("{", to: "2.card")
    for await element in store.loadAll() {
      #expect(element.document?.id == "1")
      break
    }
    await until { !directory.problems.all.isEmpty }
    #expect(directory.problems.all.map(\.code) == [.unreadable])
    #expect(directory.problems.all.first?.kept?.contains("Quarantine") == true)
  }

  @Test(
    "reads no more ahead of a slow loop than some megabytes",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func bounded() async throws {
    let count = 400
    let disk = DiskOfLongCards(count: count)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: disk)
    var all = store.loadAll().makeAsyncIterator()
    #expect(await all.next()?.document?.title.utf8.count == DiskOfLongCards.length)
    var reads = 0
    while reads != disk.reads.load(ordering: .relaxed) {
      reads = disk.reads.load(ordering: .relaxed)
      try await Task.sleep(for: .milliseconds(300))
    }
    #expect(reads < 200)
    var done = 1
    while let element = await all.next() {
      done += 1
      #expect(element.progress.done == done && element.progress.total == count)
    }
    #expect(done == count)
  }
}

/// A directory of cards of a megabyte each, which are made as they are read.
private final class DiskOfLongCards: ForwardingFileSystem {
  static let length = 1 << 20

  let base = SimulatedDisk()
  let reads = Atomic(0)
  private let names: [String]

  init(count: Int) {
    names = (0..<count).map { "\($0 + 1000).card" }
  }

  func contents(ofDirectory path: FilePath) throws(FileError) -> [String] { names }

  func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  ) {
    for name in names {
      reads.add(1, ordering: .relaxed)
      let title = String(repeating: "x", count: Self.length)
      let text = #"{"id":"\#(name.dropLast(5))","title":"\#(title)","elements":[]}"#
      body(name, .success(Array(text.utf8)))
    }
  }
}
