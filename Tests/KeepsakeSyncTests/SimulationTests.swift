import KeepsakeTestSupport
import Testing

@Suite("Members of a cluster, an engine and a bad network")
struct SimulationTests {
  @Test(
    "agree in the end, with no change lost or made twice",
    arguments: 0..<(TestLength.isAtLeast(.long) ? 10_000 : 100))
  func agreement(hundred: Int) {
    for seed in hundred * 100..<(hundred + 1) * 100 {
      var simulation = Simulation(
        seed: UInt64(seed), hasCopies: seed % 2 == 0, hasEdits: seed % 3 == 0)
      simulation.run(steps: 300)
      simulation.settle()
      let faults = simulation.faults
      #expect(faults.isEmpty, "seed \(seed)")
      if !faults.isEmpty { return }
    }
  }
}
