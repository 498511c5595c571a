/// What is meant by the changes of the moment.
enum Transaction {
  /// The animation that the changes being made are to be shown with.
  @TaskLocal static var animation: Animation?
}

/// Makes changes that the page shows as a movement from the old picture to the new one.
@discardableResult
public func withAnimation<Result>(
  _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
  try Transaction.$animation.withValue(animation) { try body() }
}
