/// Runs closures when the process exits, but not when it is killed, and not in a forked child.
package enum AtExit {
  private static let bodies = Mutex<[@Sendable () -> Void]>([])

  /// The ID of the process that added the closures; a forked child has a different one.
  private static let process: pid_t = {
    atexit { AtExit.runAll() }
    return getpid()
  }()

  /// Runs a closure when the process exits, after the closures that were added before.
  package static func run(_ body: @escaping @Sendable () -> Void) {
    _ = process
    bodies.withLock { $0.append(body) }
  }

  private static func runAll() {
    // Checked before any lock, which another thread of the parent may have held at the fork.
    guard getpid() == process else { return }
    for body in bodies.withLock({ $0 }) { body() }
    ProblemReports.wait()
  }
}
