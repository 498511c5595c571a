import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Documents and an engine that is another one, or was set back")
final class OtherEngineTests: ExchangeHarness {
  @Test(
    "Of a document that cannot be read here, and that an engine has lost, nothing is removed",
    arguments: ["one", "two"])
  func behindLost(cluster: String) throws {
    try store.create(Card(id: "x", title: "1"))
    let backup = cluster == "one" ? model : EngineModel(cluster: cluster)
    try sendAll()
    let file: FilePath = "/documents/x.card"
    let text = try #require(disk.files[file])
    try disk.remove(file)
    try disk.createDirectory(file)
    try put(Card(id: "x", title: "2"))
    try receiveLast()
    #expect(exchange.index["x.card"].isBehind)
    model = backup
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try disk.remove(file)
    try disk.replaceFile(at: file, with: text)
    // It may be read again before anything is sent.
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try titles.contains("1"))
    try sendAll()
    #expect(model.values[Array("x.card".utf8)] == text)
  }

  @Test("What repairs a text that is not a document is received, also after an engine was set back")
  func unreadableAfterBackup() throws {
    put(Array("{".utf8))
    let backup = model
    for number in 0..<10 {
      try put(Card(id: "x", title: "\(number)"))
      try receiveLast()
    }
    model = backup
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try titles == ["9"])
    #expect(try exchange.blockedDocuments() == ["x.card"])
    try put(Card(id: "x", title: "repaired"))
    try receiveLast()
    #expect(try titles.sorted() == ["9", "repaired"])
  }

  @Test(
    "A document that an engine has as it was in an older backup is sent again; both are kept if the past is not known",
    arguments: [true, false])
  func olderBackup(isKept: Bool) throws {
    for id in ["x", "y"] { try store.create(Card(id: id, title: "1")) }
    try sendAll()
    let backup = model
    try store.edit("x") { $0.title = "2" }
    try sendAll()
    for change in model.changes { try exchange.take(change) }
    model = backup
    if !isKept {
      for path in disk.files.keys where path.starts(with: "/documents/Versions") {
        try disk.remove(path)
      }
    }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try titles.sorted() == (isKept ? ["1", "2"] : ["1", "1", "2"]))
    try sendAll()
    #expect(model.values.count == (isKept ? 2 : 3))
    let others = try DocumentStore<Card>(
      directory: "/others", pathExtension: "card", fileSystem: disk)
    let other = try Self.exchange(others)
    try other.take(model.snapshot, askedFor: other.index.position)
    #expect(try others.ids().map { try others.load($0).title }.sorted() == titles.sorted())
  }

  @Test("An engine that was set back is recognized though it has grown since")
  func grownBackup() throws {
    for id in ["x", "y"] { try store.create(Card(id: id, title: "1")) }
    try sendAll()
    let backup = model
    try store.edit("x") { $0.title = "2" }
    try sendAll()
    for change in model.changes { try exchange.take(change) }
    model = backup
    let known = exchange.index.log.revision
    while model.revision <= known {
      put(try JSON.Encoder().encodeToBytes(Card(id: "z", title: "3")), as: "z.card")
    }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(try titles.sorted() == ["1", "2", "3"])
    try sendAll()
    #expect(model.values[Array("x.card".utf8)] == disk.files["/documents/x.card"])
  }

  @Test("What one process finds an engine to lack, another one sends in its place")
  func foundByAnother() throws {
    for id in ["x", "y"] { try store.create(Card(id: id, title: "1")) }
    try sendAll()
    let other = try Self.exchange(store)
    try other.scan()
    #expect(try other.nextBatch() == nil && other.waitingCount == 0)
    model = EngineModel(cluster: "two")
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try other.index.refresh()
    try other.scanFirst()
    #expect(try other.nextBatch()?.names.sorted() == ["x.card", "y.card"])
  }

  @Test("What a connection brings does not count where the index is about another engine since")
  func replacedIndex() throws {
    try put(Card(id: "x", title: "1"))
    let met = SyncPosition(cluster: "one", revision: 0)
    let change = try #require(model.changes.last)
    for revision: UInt64 in [0, 50] {
      try exchange.index.update(cluster: "two", revision: revision)
      #expect(throws: DocumentExchange.IsElsewhere.self) { try exchange.take(change, after: met) }
    }
    #expect(try store.ids() == [])
    try exchange.index.update(cluster: "one", revision: 0, doubt: .damaged)
    try exchange.index.update(cluster: "one")
    try exchange.take(change, after: met)
    #expect(try store.ids() == ["x"])
  }

  @Test("An engine that was set back behind an answer is recognized before it has grown")
  func behindAnswer() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    for change in model.changes { try exchange.take(change) }
    let backup = model
    try store.edit("x") { $0.title = "2" }
    try sendAll()
    model = backup
    let position = SyncPosition(cluster: model.cluster, revision: model.revision)
    #expect(exchange.index.log.revision == model.revision && !exchange.isKnown(position))
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(exchange.isKnown(position))
    try sendAll()
    #expect(model.values[Array("x.card".utf8)] == disk.files["/documents/x.card"])
  }

  @Test("What was merged for one engine is no base for what others have sent to another one")
  func unrelatedBase() throws {
    try put(Card(id: "x", title: "1", color: "red"))
    try receiveLast()
    for color in ["red", "blue"] {
      model = EngineModel(cluster: "without \(color)")
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
      try store.edit("x") { $0.color = color }
      let mine = try store.load("x")
      try put(Card(id: "x", title: "1"))
      try receiveLast()
      let found = try store.ids().map { try store.load($0) }
      #expect(found.contains { ($0.title, $0.color) == (mine.title, color) })
    }
  }

  @Test("An answer of an engine does not count once another process has read all of another one")
  func lateAnswer() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    let result = model.perform(batch.commit)
    let other = try Self.exchange(store)
    model = EngineModel(cluster: "two")
    try other.take(model.snapshot, askedFor: other.index.position)
    #expect(try !exchange.take(result, for: batch))
    try sendAll()
    #expect(model.values.count == 1)
  }

  @Test(
    "An asset that who sends a document lacks comes from a machine that has it",
    arguments: [false, true])
  func assetElsewhere(hasJoined: Bool) throws {
    let asset = try store.addAsset([0x89] + Array("PNG\r\n\u{1A}\n".utf8))
    try store.create(Card(id: "x", title: asset.name))
    let others = try DocumentStore<Card>(
      directory: "/others", pathExtension: "card", fileSystem: disk)
    try others.create(Card(id: "x", title: asset.name))
    let other = try Self.exchange(others)
    if hasJoined { try exchange.take(model.snapshot, askedFor: exchange.index.position) }
    try other.take(model.snapshot, askedFor: other.index.position)
    try other.scan()
    let sent = try #require(try other.nextBatch())
    let batch = try other.noteMissing([asset.name], for: sent)
    #expect(try !other.take(model.perform(batch.commit), for: batch))
    if hasJoined {
      try receiveLast()
    } else {
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
    }
    #expect(try exchange.nextBatch()?.assets == [asset.name])
    var sending = try exchange.sending(of: asset.name)
    while let commit = try sending.nextCommit() { sending.take(model.perform(commit)) }
    // Before a document is sent that names it.
    let change = try #require(model.changes.last)
    #expect(try other.missing(other.assets(in: change)) == [asset.name])
  }

  @Test("A late report of what an engine has lost since does not say that it is there")
  func reportOfLost() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let report = try #require(model.changes.last)
    func lose(_ entry: DocumentIndex.Entry) -> DocumentIndex.Entry {
      var entry = entry
      entry.base?.revision = 0
      return entry
    }
    // Another process has found that.
    try exchange.index.update(cluster: "one", revision: report.revision + 1) {
      ["x.card": lose($0["x.card"])]
    }
    try exchange.take(report)
    try exchange.scan()
    #expect(try exchange.nextBatch()?.names == ["x.card"])
  }
}
