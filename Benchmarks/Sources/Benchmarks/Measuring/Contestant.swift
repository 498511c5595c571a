/// One way to do a piece of work, measured beside the others.
struct Contestant {
  let name: String
  /// How often the work is done in one round; `nil` finds a number that takes about as long as one
  /// round should.
  var batch: Int?
  /// Does the work a number of times, and gives the seconds that one time took.
  let run: (Int) async throws -> Double
}
