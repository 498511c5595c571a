/// A watch that ends by a closure.
final class Watch: FileWatch {
  private let end: @Sendable () -> Void
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}
