/// A watch in terms of closures.
final class Watch: FileWatch {
  private let end: @Sendable () -> Void
  private let rest: @Sendable () -> Void

  init(pause rest: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable () -> Void) {
    self.rest = rest
    self.end = end
  }

  deinit { end() }

  func pause() { rest() }
}
