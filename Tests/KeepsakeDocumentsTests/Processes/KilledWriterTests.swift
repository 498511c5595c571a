import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite(
  "Processes that are killed as they save",
  .enabled(if: TestLength.isAtLeast(.standard), "kills hundreds of processes"), .serialized)
struct KilledWriterTests {
  static let rounds = TestLength.isAtLeast(.long) ? 5_000 : 500

  @Test("P1: what they were told is kept, every file is whole, and so are its images")
  func kills() async throws {
    try await withTemporaryDirectory(isInMemory: true) { root in
      let directory = CardDirectory(root)
      var random = SeededRandom(seed: 4)
      var writers = ["a", "b"].map { CardLedger(prefix: $0) }
      var kills = 0
      for round in 0..<Self.rounds {
        for index in writers.indices { try writers[index].start(in: directory) }
        let victim = Int(random.next() % 2)
        // Some are killed while they open the store, most while they save.
        if random.next() % 8 != 0 { try writers[victim].awaitAcknowledgement() }
        usleep(UInt32(random.next() % 3000))
        let killsAll = random.next() % 5 == 0
        for index in killsAll ? Array(writers.indices) : [victim] {
          try writers[index].kill()
          kills += 1
        }
        // What is not looked at now has to last until later.
        if killsAll {
          let faults = try await check(directory, &writers)
          #expect(faults == [], "round \(round)")
          if !faults.isEmpty { return }
        }
      }
      for index in writers.indices { try writers[index].kill() }
      kills += writers.count
      #expect(try await check(directory, &writers) == [])
      #expect(writers.flatMap(\.problems) == [])
      let files = LocalFileSystem()
      #expect(try files.information(at: directory.path.appending("Quarantine")) == nil)
      let saves = writers.map(\.count).reduce(0, +)
      print("kills: \(kills) (\(Self.rounds) rounds, \(saves) saves acknowledged)")
    }
  }

  /// What a store that is opened now has not kept.
  private func check(
    _ directory: CardDirectory, _ writers: inout [CardLedger]
  ) async throws -> [String] {
    for index in writers.indices { try writers[index].readAcknowledgements() }
    let before = writers
    let problems = ReportedProblems<DocumentError>()
    let store = try directory.open(problems)
    var faults: [String] = []
    var cards: [String: WrittenCard] = [:]
    for await element in store.loadAll() {
      switch element.result {
      case .success(let card): cards[card.id] = card
      case .failure(let error): faults.append("\(error)")
      }
    }
    // Those that run may have got further meanwhile.
    for index in writers.indices { try writers[index].readAcknowledgements() }
    for (writer, before) in zip(writers, before) {
      faults += writer.faults(in: &cards, since: before) { name in
        guard let asset = Asset(name: name) else { throw DocumentErrorOfName() }
        return try store.asset(asset)
      }
    }
    return faults + problems.all.map { "\($0)" } + cards.keys.map { "nobody wrote \($0)" }
  }

  private struct DocumentErrorOfName: Error {}
}
