/// A watch that calls closures.
final class Watch: FileWatch {
  private let end: @Sendable () -> Void
  private let pauseHandler: @Sendable () -> Void

  init(
    pause: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable () -> Void
  ) {
    pauseHandler = pause
    self.end = end
  }

  deinit { end() }

  func pause() { pauseHandler() }
}
