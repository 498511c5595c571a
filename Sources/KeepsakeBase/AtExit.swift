/// What is done when the process exits; a process that is killed, or a forked child, does none of it.
package enum AtExit {
  private static let bodies = Mutex<[@Sendable () -> Void]>([])

  /// The process that the bodies belong to; a forked child has another number.
  private static let process: pid_t = {
    atexit { AtExit.runAll() }
    return getpid()
  }()

  /// Runs a body when the process exits, after those that were given before.
  package static func run(_ body: @escaping @Sendable () -> Void) {
    _ = process
    bodies.withLock { $0.append(body) }
  }

  private static func runAll() {
    // Before any lock, which another thread of the parent may have held when it forked.
    guard getpid() == process else { return }
    for body in bodies.withLock({ $0 }) { body() }
    ProblemReports.wait()
  }
}
