import KeepsakeTestSupport
import Testing

@Suite("Documents of several machines, a bad network and power cuts", .timeLimit(.minutes(20)))
struct DocumentSimulationTests {
  private static var tens: Range<Int> {
    0..<(TestLength.isAtLeast(.long) ? 1000 : 40)
  }

  @Test("agree in the end, and nothing that was saved is lost", arguments: tens)
  func agreement(ten: Int) async throws {
    for seed in ten * 10..<(ten + 1) * 10 { try await agree(seed) }
  }

  @Test("agree in an order of events in which they once did not", arguments: [637])
  func rareOrder(seed: Int) async throws { try await agree(seed) }

  private func agree(_ seed: Int) async throws {
    let simulation = try DocumentSimulation(
      seed: UInt64(seed), events: DocumentSimulation.Events(rawValue: seed % 16))
    try await simulation.run(steps: 200)
    try simulation.settle()
    #expect(simulation.faults == [], "seed \(seed)")
  }
}
