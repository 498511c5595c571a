import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite(.enabled(if: TestLength.isAtLeast(.standard), "kills hundreds of processes"), .serialized)
struct `Writers that are killed` {
  static let rounds = TestLength.isAtLeast(.long) ? 6_500 : 150

  @Test func `P1: what a killed process was told is kept, and nothing is torn`() throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      var random = SeededRandom(seed: 1)
      var writers = ["a", "b", "c", "d"].map { WriterLedger(prefix: $0) }
      var kills = 0
      for round in 0..<Self.rounds {
        for index in writers.indices { try writers[index].start(in: folder) }
        // Some are killed while they open the store, most while they write.
        if random.next() % 8 != 0 {
          try writers[Int(random.next() % 4)].awaitAcknowledgement()
        }
        usleep(UInt32(random.next() % 4000))
        let killsAll = random.next() % 5 == 0
        let victims = killsAll ? Array(writers.indices) : [Int(random.next() % 4)]
        for index in victims { try writers[index].kill() }
        kills += victims.count
        // What is not looked at now has to last until later.
        if killsAll || random.next() % 4 == 0 {
          let faults = try Self.check(folder, &writers)
          #expect(faults == [], "round \(round)")
          if !faults.isEmpty { return }
        }
      }
      for index in writers.indices { try writers[index].kill() }
      kills += writers.count
      #expect(try Self.check(folder, &writers) == [])
      #expect(writers.flatMap(\.problems) == [])
      print(
        "kills: \(kills) (\(Self.rounds) rounds, \(writers.map(\.count).reduce(0, +)) changes acknowledged)"
      )
    }
  }

  /// What a store that is opened now has not kept.
  private static func check(
    _ folder: WorkerFolder, _ writers: inout [WriterLedger]
  ) throws -> [String] {
    for index in writers.indices { try writers[index].readAcknowledgements() }
    let before = writers
    let problems = Problems()
    let store = try folder.open(problems)
    var values: [String: String] = [:]
    for name in store.names { values[name] = store[SettingsKey<String?>(name)] }
    // Those that run may have got further meanwhile.
    for index in writers.indices { try writers[index].readAcknowledgements() }
    var faults = problems.all.map { "\($0)" }
    for (writer, before) in zip(writers, before) {
      faults += writer.faults(in: &values, since: before)
    }
    return faults + values.keys.map { "nobody wrote the key \($0)" }
  }
}
