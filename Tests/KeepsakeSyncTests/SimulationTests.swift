import KeepsakeTestSupport
import Testing

@Suite("Members of a cluster, an engine and a bad network")
struct SimulationTests {
  @Test(
    "agree in the end, with no change lost or made twice",
    arguments: 0..<(TestLength.isAtLeast(.long) ? 10_000 : 100))
  func agreement(hundred: Int) {
    for seed in hundred * 100..<(hundred + 1) * 100 where !agree(seed) { return }
  }

  @Test("agree in the orders of events in which they once did not", arguments: [31_606, 362_190])
  func rareOrders(seed: Int) { _ = agree(seed) }

  private func agree(_ seed: Int) -> Bool {
    var simulation = Simulation(
      seed: UInt64(seed), hasCopies: seed % 2 == 0, hasEdits: seed % 3 == 0)
    simulation.run(steps: 300)
    simulation.settle()
    let faults = simulation.faults
    #expect(faults.isEmpty, "seed \(seed)")
    return faults.isEmpty
  }
}
