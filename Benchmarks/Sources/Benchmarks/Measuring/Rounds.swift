/// Runs contestants by turns, round after round, so that what disturbs the machine meets them all.
struct Rounds {
  /// The seconds for all rounds together.
  var budget: Double
  /// The seconds that one contestant's turn should take.
  let turn: Double
  /// How many rounds there are however long they take.
  let least: Int

  func run(_ contestants: [Contestant]) async throws -> Measurements {
    var counts: [Int] = []
    for contestant in contestants {
      counts.append(try await count(for: contestant))
    }
    var measurements = Measurements(of: contestants.map(\.name))
    let start = Clock.wall.now
    var round = 0
    while round < least || Clock.wall.now - start < budget {
      // None always comes after the same neighbour, whose mess or warm memory it finds.
      for index in contestants.indices.shuffled() {
        let seconds = try await contestants[index].run(counts[index])
        measurements.add(seconds, of: contestants[index].name)
      }
      round += 1
    }
    return measurements
  }

  /// How often a contestant must do its work for one turn; finding it out also warms it up.
  private func count(for contestant: Contestant) async throws -> Int {
    if let batch = contestant.batch {
      _ = try await contestant.run(1)
      return batch
    }
    var count = 1
    while true {
      var seconds = Double.infinity
      for _ in 0..<3 {
        let start = Clock.wall.now
        _ = try await contestant.run(count)
        seconds = min(seconds, Clock.wall.now - start)
        // One that was slow may have waited for somebody else's disk.
        if seconds < turn / 2 { break }
      }
      if seconds >= turn / 2 || count >= 1 << 24 { return count }
      count *= seconds < turn / 16 ? 8 : 2
    }
  }
}
