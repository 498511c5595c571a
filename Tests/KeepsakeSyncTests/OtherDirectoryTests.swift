import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Another directory in the documents' place")
final class OtherDirectoryTests: ExchangeHarness {
  /// Copies all files of a directory.
  private static func copy(_ directory: FilePath, to copy: FilePath, on disk: SimulatedDisk) throws
  {
    for (path, bytes) in disk.files where path.starts(with: directory) {
      var file = path
      guard file.removePrefix(directory) else { continue }
      let target = copy.pushing(file)
      try disk.createDirectories(target.removingLastComponent())
      try disk.replaceFile(at: target, with: bytes)
    }
  }

  private enum Replacement: CaseIterable { case before, whileRead }

  @Test(
    "A backup that is put in the documents' place is not sent as changes and removals",
    arguments: Replacement.allCases)
  private func replacedDirectory(when replacement: Replacement) throws {
    let editing = EditingDisk(base: disk)
    let exchange = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: editing))
    /// Receives what was not received.
    func follow() throws {
      for change in model.changes where change.revision > exchange.index.log.revision {
        try exchange.take(change)
      }
    }
    try put(Card(id: "x", title: "1"))
    try follow()
    try Self.copy("/documents", to: "/backup", on: disk)
    for id in ["x", "y"] {
      put(try JSON.Encoder().encodeToBytes(Card(id: id, title: "2")), as: "\(id).card")
    }
    try follow()
    #expect(try titles == ["2", "2"])
    let known = model.values
    let disk = disk
    let replace: @Sendable () -> Void = {
      #expect(throws: Never.self) {
        try disk.rename("/documents", to: "/old")
        try disk.rename("/backup", to: "/documents")
      }
    }
    if replacement == .before { replace() } else { editing.reading.withLock { $0 = replace } }
    exchange.note(["x.card", "y.card"])
    #expect(throws: DocumentExchange.IsElsewhere.self) { try exchange.nextBatch() }
    #expect(try titles == ["1"])
    try exchange.scan()
    #expect(try exchange.nextBatch() == nil && exchange.waitingCount == 0)
    try follow()
    try exchange.scan()
    #expect(try exchange.nextBatch() == nil)
    #expect(try titles == ["2", "2"] && model.values == known)
  }

  @Test(
    "Where the documents' directory is gone, or another one is empty, nothing is removed elsewhere")
  func emptyDirectory() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try disk.rename("/documents", to: "/old")
    exchange.note(["x.card"])
    #expect(throws: DocumentError.self) { try exchange.nextBatch() }
    let other = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: disk))
    #expect(throws: DocumentExchange.IsElsewhere.self) { try exchange.nextBatch() }
    try exchange.scan()
    #expect(try exchange.nextBatch() == nil)
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try other.index.refresh()
    #expect(try titles == ["1"] && other.index["x.card"].revision > 0)
  }

  @Test(
    "Where another directory lacks what is known of the engine, a process that runs goes on with it"
  )
  func directoryWithoutIndex() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try disk.rename("/documents", to: "/old")
    #expect(throws: FileError.self) { try exchange.bases.createDirectory() }
    try disk.write(JSON.Encoder().encodeToBytes(Card(id: "y", title: "2")), to: "/documents/y.card")
    try exchange.bases.createDirectory()
    #expect(throws: DocumentExchange.IsElsewhere.self) { try exchange.index.refresh() }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try sendAll()
    #expect(try titles == ["1", "2"] && model.values.count == 2)
  }

  @Test("Nothing of what was known of other documents comes into another directory's index")
  func index() throws {
    try Self.copy("/documents", to: "/backup", on: disk)
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    do {
      // It ends the journal that the others have open.
      let other = try Self.exchange(store)
      try other.index.refresh()
    }
    try disk.rename("/documents", to: "/old")
    try disk.rename("/backup", to: "/documents")
    #expect(throws: DocumentExchange.IsElsewhere.self) { try exchange.index.refresh() }
    #expect(exchange.index.names == [] && exchange.index.log.revision == 0)
    let other = try Self.exchange(store)
    #expect(other.index.names == [] && other.index.log.revision == 0)
  }
}
