import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

/// Documents on a simulated disk, and an engine that they are exchanged with, step by step.
class ExchangeHarness {
  typealias Card = DocumentSyncHarness.Card

  let disk = SimulatedDisk()
  let store: DocumentStore<Card>
  let exchange: DocumentExchange
  var model = EngineModel(cluster: "one")

  init() throws {
    store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk)
    exchange = try Self.exchange(store)
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
  }

  static func exchange(_ store: DocumentStore<Card>) throws -> DocumentExchange {
    try DocumentExchange(
      store.sharedDocuments { _ in .keepBoth }, limits: SyncLimits(writes: 4, length: 5000),
      isAutomatic: false)
  }

  var titles: [String] {
    get throws { try store.entries().map { try store.load($0.id).title } }
  }

  /// Writes what a person or another machine would.
  func put(_ text: [UInt8], as name: String = "x.card") {
    let key = SyncKey.value(Array(name.utf8))
    _ = model.perform(SyncCommit(conditions: [:], writes: [key: text]))
  }

  func put(_ card: Card) throws { put(try JSON.Encoder().encodeToBytes(card)) }

  func receiveLast() throws { try exchange.take(try #require(model.changes.last)) }

  func sendAll() throws {
    try exchange.scan()
    while let batch = try exchange.nextBatch() {
      #expect(try !exchange.take(model.perform(batch.commit), for: batch))
    }
  }
}
