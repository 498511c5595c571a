/// Where results go that nobody needs, so that no optimizer leaves out the work.
enum Sink {
  /// Stops where reading did not give what was stored.
  @inline(never)
  static func check(_ sum: Int, is expected: Int) {
    precondition(sum == expected, "a wrong value was read: \(sum), not \(expected)")
  }

  /// Takes a value that took work to make.
  @inline(never) @_optimize(none)
  static func take<Value>(_ value: Value) {}
}
