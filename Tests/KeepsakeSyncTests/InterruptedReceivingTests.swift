import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Receiving documents that is interrupted")
final class InterruptedReceivingTests: ExchangeHarness {
  /// What the machine has joined before.
  enum Joining: CaseIterable { case joined, joins, joinsAnother }

  enum Interruption: CaseIterable { case end, powerCut }

  @Test(
    "What others remove or change meanwhile was not made here, wherever it was interrupted",
    arguments: Joining.allCases, Interruption.allCases)
  func everyCall(joining: Joining, interruption: Interruption) async throws {
    let before = joining == .joins ? SimulatedDisk() : disk
    let first = try Self.store(before)
    try first.create(Card(id: "z", title: "1"))
    if joining != .joins {
      try first.create(Card(id: "w", title: "1"))
      try sendAll()
      try exchange.index.makeDurable()
    }
    if joining == .joinsAnother {
      model = EngineModel(cluster: "two")
      try first.remove("w")
    }
    // It is here, too, and others have something else.
    if joining != .joined { try first.create(Card(id: "c", title: "ours")) }
    func put(_ id: String, _ title: String, into model: inout EngineModel) throws {
      let text = try JSON.Encoder().encodeToBytes(Card(id: id, title: title))
      let key = SyncKey(document: "\(id).card")
      _ = model.perform(SyncCommit(conditions: [:], writes: [key: text]))
    }
    for (id, title) in [("w", "2"), ("x", "1"), ("y", "1"), ("x", "2"), ("c", "theirs")]
    where id != "c" || joining != .joined {
      try put(id, title, into: &model)
    }
    try await interruptReceiving(on: before, interruption, reads: joining != .joined) {
      number, state, readsThen in
      var after = model
      for id in ["w", "x", "c"] {
        let removal = SyncCommit(
          conditions: [:], writes: [SyncKey(document: "\(id).card"): nil])
        _ = after.perform(removal)
      }
      try put("y", "2", into: &after)
      try agree(open(state), with: &after, reads: readsThen)
      let store = try Self.store(state)
      var titles = try store.entries().map { try "\($0.id) \(store.load($0.id).title)" }
      #expect(after.values.count == titles.count)
      let hasOurs = titles.contains { $0.hasSuffix(" ours") }
      #expect(hasOurs == (joining != .joined))
      titles.removeAll { $0.hasSuffix(" ours") }
      #expect(titles.sorted() == ["y 2", "z 1"], "interrupted at the call \(number)")
    }
  }

  @Test(
    "What was merged with a change made here is not merged again, wherever that was interrupted",
    arguments: Interruption.allCases)
  func merging(interruption: Interruption) async throws {
    func card(_ items: String...) -> Card { Card(id: "x", items: items) }
    try store.create(card("a", "b"))
    try sendAll()
    try receiveLast()
    try store.edit("x") { $0 = card("a") }
    try exchange.index.makeDurable()
    // Its base, too, which is not flushed otherwise: without it, both changes would be kept.
    try disk.synchronizeAll(at: "/documents")
    try put(card("a", "b", "c"))
    try await interruptReceiving(on: disk, interruption, reads: false) {
      number, state, readsThen in
      var after = model
      try agree(open(state), with: &after, reads: readsThen)
      let (ids, card) = (try Self.store(state).ids(), try Self.store(state).load("x"))
      #expect(ids == ["x"] && card.items == ["a", "c"], "interrupted at the call \(number)")
    }
  }

  @Test("What was merged and then changed is not merged again where another document failed")
  func mergedBeforeFailure() throws {
    for id in ["x", "y"] { try store.create(Card(id: id, items: ["a", "b"])) }
    try sendAll()
    try receiveLast()
    for id in ["x", "y"] {
      try store.edit(id) { $0.items = ["a"] }
      put(
        try JSON.Encoder().encodeToBytes(Card(id: id, items: ["a", "b", "c"])), as: "\(id).card")
    }
    let merged = ["a", "c"]
    var isChanged = false
    for number in 1... {
      let disk = disk.restarted()
      let (store, exchange) = (try Self.store(disk), try open(disk))
      let failing = disk.calls.count + number
      disk.fail(call: failing, with: .ioError)
      var isNoted = false
      do { try receive(exchange, from: model, reads: true) } catch {
        isNoted = exchange.index["x.card"].merged == nil
      }
      let isDone = disk.calls.count < failing
      disk.stopFailing()
      if try store.load("x").items == merged, try store.load("y").items != merged,
        isNoted
      {
        try store.edit("x") { $0.items = ["a", "c", "d"] }
        isChanged = true
      }
      var after = model
      try agree(exchange, with: &after, reads: true)
      let items = try store.load("x").items
      #expect([merged, merged + ["d"]].contains(items), "failed at the call \(number)")
      #expect(try store.load("y").items == merged && store.ids().count == 2)
      if isDone { break }
    }
    #expect(isChanged)
  }

  /// Receives what the engine has, and is interrupted at each of the disk's calls.
  ///
  /// - Parameters:
  ///   - reads: Whether everything is read.
  ///   - check: Called for each state that the disk may have then, with the number of the call, and whether everything is
  ///     to be read then.
  private func interruptReceiving(
    on before: SimulatedDisk, _ interruption: Interruption, reads: Bool,
    _ check: (Int, SimulatedDisk, Bool) throws -> Void
  ) async throws {
    for number in 1... {
      let disk = before.restarted()
      let failing = disk.calls.count + number
      let exchange = try open(disk)
      for call in failing..<failing + 2000 { disk.fail(call: call, with: .ioError) }
      do { try receive(exchange, from: model, reads: reads) } catch {}
      let isDone = disk.calls.count < failing
      disk.stopFailing()
      var states = [disk.restarted()]
      if interruption == .powerCut {
        states = await disk.statesAfterPowerCut(samples: 6, seed: UInt64(number))
      }
      for state in states {
        for readsThen in [false, true] { try check(number, state.restarted(), readsThen) }
      }
      if isDone { break }
    }
  }

  private static func store(_ disk: SimulatedDisk) throws -> DocumentStore<Card> {
    try DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: disk)
  }

  private func open(_ disk: SimulatedDisk) throws -> DocumentExchange {
    try Self.exchange(Self.store(disk))
  }

  /// Takes what an engine has: everything, or what has come since.
  private func receive(
    _ exchange: DocumentExchange, from model: EngineModel, reads: Bool
  ) throws {
    let known = exchange.index.position
    let position = SyncPosition(cluster: model.cluster, revision: model.revision)
    if reads || exchange.index.log.doubt != nil || !exchange.isKnown(position) {
      try exchange.take(model.snapshot, askedFor: known)
    } else {
      for change in model.changes where change.revision > exchange.index.log.revision {
        try exchange.take(change)
      }
    }
  }

  /// Sends and receives until there is nothing left; first sends, where the engine is known.
  private func agree(
    _ exchange: DocumentExchange, with model: inout EngineModel, reads: Bool
  ) throws {
    let position = SyncPosition(cluster: model.cluster, revision: model.revision)
    if reads || exchange.index.log.doubt != nil || !exchange.isKnown(position) {
      try receive(exchange, from: model, reads: true)
    }
    try exchange.scan()
    for _ in 0..<20 {
      while let batch = try exchange.nextBatch() {
        if try exchange.take(model.perform(batch.commit), for: batch) { break }
      }
      if exchange.index.log.revision == model.revision, exchange.waitingCount == 0 { return }
      try receive(exchange, from: model, reads: false)
      exchange.sendRefusedAgain()
    }
    Issue.record("They do not agree.")
  }
}
