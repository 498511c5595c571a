/// One way to do a piece of work, measured beside the others.
struct Contestant {
  let name: String
  /// How often the work is done in one round; `nil` finds a number that takes about as long as one
  /// round should.
  var batch: Int?
  /// Does the work a number of times, and gives the seconds that one time took.
  let run: (Int) async throws -> Double
}

extension Contestant {
  /// Several tasks that each make one change after the other; the time is that of one change.
  init(
    _ name: String, _ writers: Int, _ set: @escaping @Sendable (Int, Int) async throws -> Void
  ) {
    self.init(name: name) { count in
      let start = Clock.wall.now
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writers {
          group.addTask {
            for number in Numbers.take(count) { try await set(writer, number) }
          }
        }
        try await group.waitForAll()
      }
      return (Clock.wall.now - start) / Double(count * writers)
    }
  }
}
