import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Receiving documents while another process does")
final class InterleavedReceivingTests: ExchangeHarness {
  /// What the process does that is slow, and what the other one does meanwhile.
  enum Meeting: CaseIterable {
    /// One takes a change of x, and the other its removal, too.
    case removed
    /// The same, where x is new.
    case removedNew
    /// The same, where a person has removed x here.
    case removedHere
    /// The same, where a person has changed x here.
    case removedChanged
    /// One takes that x was created, and the other reads everything after it was removed.
    case readAll
    /// One reads everything after x was removed, and the other takes that it was created.
    case lags
    /// One reads everything that has x, and the other takes its removal.
    case reads
    /// One takes the removal of x, and the other joins another engine that has it.
    case joinsAnother
    /// One reads everything of an engine that has no x, and the other joins another engine that has it.
    case readsAnother
    /// Both join the engine.
    case bothJoin
    /// One sends what was changed, and the other takes that x was created.
    case sends
  }

  @Test("What an editor writes while the index is read is neither replaced nor removed")
  func editedMeanwhile() throws {
    try store.create(Card(id: "x", title: "1"))
    let (file, name): (FilePath, String) = ("/documents/x.card", "x.card")
    let found = try #require(disk.files[file])
    let edited = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "2"))
    let theirs = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "3"))
    /// What is asked last, which takes a moment.
    func edit() -> Bool { (try? disk.replaceFile(at: file, with: edited)) != nil }
    let replacement = SharedDocument(name: name, found: found, text: theirs)
    #expect(try exchange.documents.write([replacement], if: edit) == nil)
    #expect(disk.files[file] == edited)
    try disk.replaceFile(at: file, with: found)
    #expect(try !exchange.documents.remove(name, ifStill: found, if: edit))
    #expect(disk.files[file] == edited)
  }

  @Test(
    "What was removed does not come back, and nothing else is removed, wherever they meet",
    arguments: Meeting.allCases, [false, true])
  func everyCall(meeting: Meeting, endsThen: Bool) throws {
    let before = SimulatedDisk()
    let first = try Self.store(before)
    let exchange = try Self.exchange(first)
    let isNew = [.removedNew, .readAll, .lags, .reads, .bothJoin, .sends].contains(meeting)
    if meeting != .bothJoin {
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
    }
    for id in isNew ? ["z"] : ["x", "z"] { try first.create(Card(id: id, title: "1")) }
    if meeting != .bothJoin { try send(exchange) }
    // A backup that has everything so far.
    var another = model
    another.become("two", at: model.revision)
    switch meeting {
    case .removedHere: try first.remove("x")
    case .removedChanged: try first.edit("x") { $0.title = "ours" }
    default: break
    }
    let isAnother = meeting == .joinsAnother || meeting == .readsAnother
    func remove() {
      _ = model.perform(SyncCommit(conditions: [:], writes: [SyncKey(document: "x.card"): nil]))
    }
    if isAnother { remove() } else { try put(Card(id: "x", title: "2")) }
    let one = model
    if !isAnother { remove() }
    put(try JSON.Encoder().encodeToBytes(Card(id: "y", title: "1")), as: "y.card")
    let current = isAnother ? another : model
    let lags = meeting == .lags || meeting == .sends
    let (slows, others) = meeting == .lags ? (current, one) : (one, lags ? one : current)
    let readers: [Meeting] = [.lags, .reads, .readsAnother]

    for callCount in 0... {
      let base = before.restarted()
      let other = try Self.exchange(Self.store(base))
      let disk = InterleavingDisk(base: base, after: callCount, endsThen: endsThen) {
        #expect(throws: Never.self) {
          // Its connection was opened before.
          if lags { return try other.take(try #require(others.changes.last)) }
          try Self.receive(other, from: others, reads: isAnother || meeting == .readAll)
        }
      }
      var exchanges = [other]
      var model = current
      do {
        let slow = try Self.exchange(
          DocumentStore<Card>(
            directory: "/documents", pathExtension: "card", fileSystem: disk, onProblem: { _ in }))
        if !endsThen { exchanges.append(slow) }
        if meeting == .sends {
          // As if it had been removed here before.
          slow.note(["x.card"])
          if let batch = try slow.nextBatch() {
            _ = try slow.take(model.perform(batch.commit), for: batch)
          }
        } else {
          try Self.receive(slow, from: slows, reads: readers.contains(meeting))
        }
      } catch {}
      let isDone = disk.isDone
      if endsThen { exchanges.append(try Self.exchange(Self.store(base))) }
      try agree(exchanges, with: &model)
      let store = try Self.store(base)
      let titles = try store.entries().map { try "\($0.id) \(store.load($0.id).title)" }
      var expected = ["y 1", "z 1"]
      if isAnother { expected = ["x 1", "z 1"] }
      let theirs = titles.filter { !$0.hasSuffix(" ours") }
      #expect(theirs.sorted() == expected, "at the call \(callCount)")
      #expect((titles.count > theirs.count) == (meeting == .removedChanged))
      #expect(model.values.filter { $0.key != Array("x".utf8) }.count == titles.count)
      if !isDone { break }
    }
  }

  private static func store(_ disk: SimulatedDisk) throws -> DocumentStore<Card> {
    try DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: disk)
  }

  private func send(_ exchange: DocumentExchange) throws {
    try exchange.scan()
    while let batch = try exchange.nextBatch() {
      #expect(try !exchange.take(model.perform(batch.commit), for: batch))
    }
  }

  /// Takes what an engine has: everything, or what has come since.
  private static func receive(
    _ exchange: DocumentExchange, from model: EngineModel, reads: Bool = false
  ) throws {
    try exchange.index.refresh()
    let known = exchange.index.position
    let position = SyncPosition(cluster: model.cluster, revision: model.revision)
    if reads || exchange.index.log.doubt != nil || !exchange.isKnown(position) {
      try exchange.take(model.snapshot, askedFor: known)
    }
    for change in model.changes where change.revision > exchange.index.log.revision {
      try exchange.take(change, after: exchange.index.log.position)
    }
  }

  /// Has each send and receive until there is nothing left.
  private func agree(_ exchanges: [DocumentExchange], with model: inout EngineModel) throws {
    for _ in 0..<20 {
      var isQuiet = true
      for exchange in exchanges {
        do {
          try Self.receive(exchange, from: model)
          exchange.sendRefusedAgain()
          try exchange.scan()
          while let batch = try exchange.nextBatch() {
            isQuiet = false
            if try exchange.take(model.perform(batch.commit), for: batch) { break }
          }
          if exchange.index.log.revision < model.revision { isQuiet = false }
        } catch is DocumentExchange.IsElsewhere {
          isQuiet = false
        } catch is DocumentExchange.IsBehind {
          isQuiet = false
          try exchange.take(model.snapshot, askedFor: exchange.index.position)
        }
      }
      if isQuiet { return }
    }
    Issue.record("They do not agree.")
  }
}
