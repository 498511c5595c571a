/// The failed call of a scenario, and how the scenario responded.
public struct FailurePoint: Sendable, CustomStringConvertible {
  /// The call's number among all calls, from 1.
  public var number: Int
  /// The call.
  public var call: DiskCall
  /// How it failed.
  public var failure: CallFailure
  /// The error that the scenario threw, if any.
  public var error: (any Error)?
  /// The marks that the scenario made.
  public var marks: [String] = []

  /// The failure, the call and the error.
  public var description: String {
    "\(failure) in call \(number) (\(call)), " + (error.map { "threw \($0)" } ?? "not thrown")
  }
}
