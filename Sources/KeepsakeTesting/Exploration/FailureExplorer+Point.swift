extension FailureExplorer {
  /// The failed call of a scenario, and how the scenario responded.
  public struct Point: Sendable, CustomStringConvertible {
    /// The call's number among all calls, from 1.
    public var number: Int
    /// The call.
    public var call: SimulatedDisk.Call
    /// How it failed.
    public var failure: SimulatedDisk.Failure
    /// The error that the scenario threw, if any.
    public var error: (any Error)?
    /// The marks that the scenario made.
    public var marks: [String] = []

    /// The failure, the call and the error.
    public var description: String {
      "\(failure) in call \(number) (\(call)), " + (error.map { "threw \($0)" } ?? "not thrown")
    }
  }
}
