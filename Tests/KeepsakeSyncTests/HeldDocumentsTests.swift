import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Documents that cannot be taken for now")
final class HeldDocumentsTests: ExchangeHarness {
  /// The same documents on a disk that refuses to replace some files.
  private func refusing() throws -> (disk: EditingDisk, exchange: DocumentExchange) {
    let editing = EditingDisk(base: disk)
    let exchange = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: editing))
    return (editing, exchange)
  }

  private func putTogether(_ cards: Card...) throws {
    var writes: [SyncKey: [UInt8]?] = [:]
    for card in cards {
      writes[SyncKey(document: "\(card.id).card")] = try JSON.Encoder().encodeToBytes(card)
    }
    _ = model.perform(SyncCommit(conditions: [:], writes: writes))
  }

  @Test(
    "One whose file cannot be replaced holds up no other, and is taken once it can",
    arguments: [false, true], [false, true])
  func locked(isReading: Bool, isChangedHere: Bool) throws {
    for id in ["x", "y", "z"] { try store.create(Card(id: id, title: "1")) }
    try sendAll()
    let (disk, exchange) = try refusing()
    if isChangedHere { try store.edit("x") { $0.color = "blue" } }
    try putTogether(Card(id: "x", title: "2"), Card(id: "y", title: "2"))
    disk.refused.withLock { $0 = "/documents/x.card" }
    if isReading {
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
    } else {
      try exchange.take(try #require(model.changes.last))
    }
    #expect(try titles == ["1", "2", "1"] && exchange.index.log.revision == model.revision)
    // What is changed here is sent meanwhile.
    try store.edit("z") { $0.title = "3" }
    try exchange.scan()
    #expect(throws: DocumentError.self) {
      while let batch = try exchange.nextBatch() {
        #expect(batch.names == ["z.card"])
        _ = try exchange.take(model.perform(batch.commit), for: batch)
      }
    }
    // Everything is read again for it after a while, also if it is in vain.
    for _ in 0..<2 {
      exchange.state.withLock { $0.held["x.card"]?.end = .now }
      #expect(throws: DocumentExchange.IsBehind.self) { try exchange.nextBatch() }
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
      #expect(throws: DocumentError.self) { try exchange.nextBatch() }
    }
    disk.refused.withLock { $0 = nil }
    exchange.state.withLock { $0.held["x.card"]?.end = .now }
    #expect(throws: DocumentExchange.IsBehind.self) { try exchange.nextBatch() }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try titles == ["2", "2", "3"] && exchange.state.withLock { $0.held.isEmpty })
    #expect(try store.load("x").color == (isChangedHere ? "blue" : ""))
    #expect(try exchange.nextBatch()?.names == (isChangedHere ? ["x.card"] : nil))
  }

  @Test(
    "A conflict in one whose file cannot be replaced is kept once, and not each time that it is tried"
  )
  func lockedConflict() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let (disk, exchange) = try refusing()
    try store.edit("x") { $0.title = "mine" }
    try put(Card(id: "x", title: "theirs"))
    disk.refused.withLock { $0 = "/documents/x.card" }
    for _ in 0..<3 {
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
      #expect(try titles == ["mine"] && store.removed().isEmpty)
    }
    disk.refused.withLock { $0 = nil }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try titles.sorted() == ["mine", "theirs"])
  }

  @Test("A conflict loses nothing wherever a call to the disk fails")
  func failingConflict() throws {
    for number in 1... {
      let disk = SimulatedDisk()
      var configuration = DocumentConfiguration()
      configuration.versionsKept = 0
      let store = try DocumentStore<Card>(
        directory: "/documents", pathExtension: "card", configuration: configuration,
        fileSystem: disk)
      let exchange = try Self.exchange(store)
      model = EngineModel(cluster: "one")
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
      try store.create(Card(id: "x", title: "1"))
      try exchange.scan()
      let batch = try #require(try exchange.nextBatch())
      #expect(try !exchange.take(model.perform(batch.commit), for: batch))
      try store.edit("x") { $0.title = "mine" }
      try put(Card(id: "x", title: "theirs"))
      let failing = disk.calls.count + number
      disk.fail(call: failing, with: .ioError)
      try? exchange.take(try #require(model.changes.last))
      let isDone = disk.calls.count < failing
      disk.stopFailing()
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
      let titles = try store.entries().map { try store.load($0.id).title }
      #expect(Set(titles) == ["mine", "theirs"] && titles.count <= 3, "the call \(number)")
      if isDone { break }
    }
  }

  @Test("One whose file was locked is taken at once for who asks")
  func unlocked() async throws {
    let engine = InMemoryEngine(limits: SyncLimits(writes: 4, length: 5000))
    await engine.put("x.card", try JSON.Encoder().encodeToBytes(Card(id: "x", title: "1")))
    let editing = EditingDisk(base: SimulatedDisk())
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: editing)
    editing.refused.withLock { $0 = "/documents/x.card" }
    try store.share(through: engine, timing: .short)
    for _ in 0..<2 {
      await #expect(throws: DocumentError.self) { try await store.synchronize(.everywhere) }
    }
    editing.refused.withLock { $0 = nil }
    try await eventually { (try? await store.synchronize(.everywhere)) != nil }
    #expect(try store.load("x").title == "1")
  }

  @Test("Where many files cannot be replaced, that is not about one document")
  func lockedDirectory() throws {
    for id in 0..<20 { try store.create(Card(id: "\(id)", title: "1")) }
    try sendAll()
    let (disk, exchange) = try refusing()
    for id in 0..<20 { try putTogether(Card(id: "\(id)", title: "2")) }
    disk.refused.withLock { $0 = "/documents" }
    #expect(throws: DocumentError.self) {
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
    }
    disk.refused.withLock { $0 = nil }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try Set(titles) == ["2"])
  }

  /// A document with a part that only an encryption key opens.
  private struct Sealed: Codable, Identifiable, Sendable {
    struct Missing: DecodingObstacle {}

    @TaskLocal static var hasKey = true
    var id: String
    var title = ""
    var color = ""

    enum CodingKeys: CodingKey { case id, title, color }

    init(id: String) { self.id = id }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      title = try container.decode(String.self, forKey: .title)
      color = try container.decode(String.self, forKey: .color)
      if Self.hasKey { return }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "the key is missing", underlyingError: Missing()))
    }
  }

  @Test("A change made here waits for a missing encryption key", arguments: [false, true])
  func missingKey(isConflict: Bool) throws {
    let store = try DocumentStore<Sealed>(
      directory: "/documents", pathExtension: "card", fileSystem: disk)
    let exchange = try DocumentExchange(
      store.sharedDocuments { _ in .keepBoth }, limits: SyncLimits(writes: 4, length: 5000),
      isAutomatic: false)
    try store.create(Sealed(id: "x"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    #expect(try !exchange.take(model.perform(batch.commit), for: batch))
    try store.edit("x") { $0.title = "mine" }
    var theirs = Sealed(id: "x")
    if isConflict { theirs.title = "theirs" } else { theirs.color = "blue" }
    put(try JSON.Encoder().encodeToBytes(theirs))
    try Sealed.$hasKey.withValue(false) {
      try exchange.take(try #require(model.changes.last))
      #expect(throws: DocumentError.self) { try exchange.nextBatch() }
    }
    #expect(try store.removed().isEmpty && store.load("x").title == "mine")
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    let found = try store.entries().map { try store.load($0.id) }
    #expect(found.map(\.title).sorted() == (isConflict ? ["mine", "theirs"] : ["mine"]))
    #expect(found.map(\.color) == (isConflict ? ["", ""] : ["blue"]))
  }
}
