import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(
  "Killed writers",
  .enabled(if: TestLength.isAtLeast(.standard), "kills hundreds of processes"), .serialized)
struct KillTests {
  /// `Scripts/check-disks` sets the number in `KEEPSAKE_TEST_ROUNDS`.
  static let rounds =
    ProcessInfo.processInfo.environment["KEEPSAKE_TEST_ROUNDS"].flatMap { Int($0) }
    ?? (TestLength.isAtLeast(.long) ? 6_500 : 150)

  @Test("P1: What was acknowledged to a killed process is kept, and nothing is torn")
  func acknowledgedChanges() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      var random = SeededRandom(seed: 1)
      var writers = ["a", "b", "c", "d"].map { WriterLedger(prefix: $0) }
      var kills = 0
      for round in 0..<Self.rounds {
        for index in writers.indices { try writers[index].start(in: directory) }
        // Some are killed while they open the store, most while they write.
        if random.next() % 8 != 0 {
          try writers[Int(random.next() % 4)].awaitAcknowledgement()
        }
        usleep(UInt32(random.next() % 4000))
        let killsAll = random.next() % 5 == 0
        let victims = killsAll ? Array(writers.indices) : [Int(random.next() % 4)]
        for index in victims { try writers[index].kill() }
        kills += victims.count
        // What is not checked now must still be there later.
        if killsAll || random.next() % 4 == 0 {
          let errors = try WriterLedger.errors(of: &writers, in: directory)
          #expect(errors == [], "round \(round)")
          if !errors.isEmpty { return }
        }
      }
      for index in writers.indices { try writers[index].kill() }
      kills += writers.count
      #expect(try WriterLedger.errors(of: &writers, in: directory) == [])
      #expect(writers.flatMap(\.problems) == [])
      print(
        "kills: \(kills) (\(Self.rounds) rounds, \(writers.map(\.count).reduce(0, +)) changes acknowledged)"
      )
    }
  }
}
