import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@Suite("Members of a cluster, an engine and a bad network")
struct SimulationTests {
  @Test(
    "agree in the end, with no change lost or made twice",
    arguments: 0..<(TestLength.isAtLeast(.long) ? 10_000 : 100))
  func agreement(hundred: Int) {
    for seed in hundred * 100..<(hundred + 1) * 100 where !agree(seed) { return }
  }

  @Test(
    "agree in the end where other engines, or older states of theirs, take the engine's place",
    arguments: 0..<(TestLength.isAtLeast(.long) ? 10_000 : 100))
  func otherEngines(hundred: Int) {
    for seed in hundred * 100..<(hundred + 1) * 100
    where !agree(seed, .otherEngines) { return }
  }

  @Test(
    "agree in the end where two processes of each machine talk to the engine",
    arguments: 0..<(TestLength.isAtLeast(.long) ? 10_000 : 100))
  func twoProcesses(hundred: Int) {
    for seed in hundred * 100..<(hundred + 1) * 100 {
      let events: Simulation.Events = seed % 5 > 2 ? [.twoProcesses, .otherEngines] : .twoProcesses
      if !agree(seed, events) { return }
    }
  }

  @Test(
    "agree in the orders of events in which they once did not",
    arguments: [31_606, 362_190, 701_833])
  func rareOrders(seed: Int) { _ = agree(seed) }

  @Test(
    "A change that an engine had is not sent again by a process that has not seen so",
    arguments: [29_273, 154_879])
  func changeOfEarlierEngine(seed: Int) { _ = agree(seed, [.twoProcesses, .otherEngines]) }

  @Test("An engine that was set back is not taken for what it was", arguments: [599_267])
  func otherCommitOfRevision(seed: Int) { _ = agree(seed, .otherEngines) }

  private func agree(_ seed: Int, _ events: Simulation.Events = []) -> Bool {
    var events = events
    if seed % 2 == 0 { events.insert(.copies) }
    if seed % 3 == 0 { events.insert(.edits) }
    var simulation = Simulation(seed: UInt64(seed), events: events)
    simulation.run(steps: 300)
    simulation.settle()
    let faults = simulation.faults
    #expect(faults == [], "seed \(seed)")
    return faults.isEmpty
  }
}
