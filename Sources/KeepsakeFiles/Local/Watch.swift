/// A watch in terms of closures.
final class Watch: FileWatch {
  private let end: @Sendable () -> Void
  private let pauseForAWhile: @Sendable () -> Void

  init(
    pause: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable () -> Void
  ) {
    pauseForAWhile = pause
    self.end = end
  }

  deinit { end() }

  func pause() { pauseForAWhile() }
}
