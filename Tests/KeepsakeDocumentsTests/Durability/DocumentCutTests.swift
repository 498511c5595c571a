import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite(
  "P2 and P8: what a cut leaves of documents",
  .enabled(if: TestLength.isAtLeast(.standard), "explores every cut"))
struct DocumentCutTests {
  @Test(
    "each document is whole, with its assets, and as it was last saved",
    arguments: [SimulatedDisk.Model.posix, .journaled, .processDeath])
  func eachDocumentIsWhole(
    _ model: SimulatedDisk.Model
  ) async throws {
    var states = 0
    var events = 0
    for seed in 1...5 as ClosedRange<UInt64> {
      var life = DocumentLife(seed: seed)
      let report = try await CutExplorer(model: model, samples: 50, seed: seed).run { disk in
        try life.live(disk, disk, steps: 24)
      } check: { disk, cut in
        try life.check(disk, cut)
      }
      states += report.states
      events += report.events
    }
    print("documents, \(model): \(states) distinct disk states after \(events) events")
  }

  @Test(
    "a document in an older version is that one or the migrated one",
    arguments: [SimulatedDisk.Model.posix, .journaled, .processDeath])
  func aDocumentInAnOlderVersion(
    _ model: SimulatedDisk.Model
  ) async throws {
    let schema = DocumentSchema(
      version: 2,
      migrations: [1: { $0["title"] = $0["name"] ?? "" }])
    let start = SimulatedDisk()
    let old = #"{"id":"1","name":"old","elements":[],"more":{"x":1}}"#
    try start.write(Array(old.utf8), to: Directory.path.appending("1.card"))
    var life = DocumentLife(seed: 1, schema: schema)
    let report = try await CutExplorer(model: model).run(from: start) { disk in
      life = DocumentLife(seed: 1, schema: schema)
      life.begin(with: [Card(id: "1", title: "old")])
      let store = try life.open(disk)
      _ = try store.load("1")
      try life.save("1", store, disk)
    } check: { disk, cut in
      try life.check(disk, cut)
      let text = String(
        decoding: disk.bytes(at: Directory.path.appending("1.card")) ?? [], as: UTF8.self)
      // What the type does not know is in either.
      guard text.contains("\"x\"") else { throw DocumentLife.Broken("lost: \(text)") }
    }
    #expect(report.states > 1)
  }

  @Test("each flush is needed") func eachFlushIsNeeded() async throws {
    var life = DocumentLife(seed: 1)
    let results = try await FlushExplorer(CutExplorer(model: .posix, samples: 16)).run {
      files, disk in
      life = DocumentLife(seed: 1)
      let store = try life.open(files)
      try life.save("1", store, disk)
      try life.save("1", store, disk)
      try life.addImage("1", store, disk)
      try life.addImage("2", count: 4, store, disk)
      try life.replaceImage("1", store, disk)
      try life.saveAll(store, disk)
      try life.saveAll(count: 2, store, disk)
      try life.remove("1", store, disk)
      // Without another change between them, a removal that a power cut undid would look restored.
      try life.save("3", store, disk)
      try life.restore("1", store, disk)
      try life.remove("2", store, disk)
      try life.emptyTrash(store, disk)
      try life.collect(store, disk)
    } check: { disk, cut in
      try life.check(disk, cut)
    }
    for (index, (flush, isNeeded)) in results.enumerated() where !isNeeded {
      Issue.record("no loss was found without flush \(index + 1): \(flush)")
    }
    print("documents: \(results.count) flushes, each of which was missed when it was left out")
  }
}

@Suite(
  "P1, P4 and P8: what a failed call leaves of documents",
  .enabled(if: TestLength.isAtLeast(.standard), "fails every call"))
struct DocumentFailureTests {
  @Test(
    "a change that was refused was made or not, every other was",
    arguments: 1...(TestLength.isAtLeast(.long) ? 20 : 2) as ClosedRange<UInt64>)
  func aChangeThatWasRefusedWasMade(_ seed: UInt64) async throws {
    var life = DocumentLife(seed: seed)
    let runs = try await FailureExplorer(model: .posix).run { disk in
      life = DocumentLife(seed: seed)
      life.isGoingOn = true
      try life.live(disk, disk, steps: 10)
    } check: { disk, point in
      if let broken = point.error as? DocumentLife.Broken { throw broken }
      for state in await disk.statesAfterPowerCut(samples: 6, seed: seed) {
        try life.checkEnd(state)
      }
    }
    print("documents: \(runs) lives with one call failed in each")
  }
}
