/// Counts the forks that lie between this process and the one that loaded the program.
///
/// A forked child shares its parent's open files, offsets and locks. What must not be shared is
/// opened again where the number differs from the one it was opened with.
package enum ProcessFork {
  private static let forks = Atomic<Int>(0)

  private static let isRegistered: Bool =
    pthread_atfork(nil, nil, { ProcessFork.forks.add(1, ordering: .relaxed) }) == 0

  /// How many forks came before; the same number as long as the process is the same.
  package static var count: Int {
    _ = isRegistered
    return forks.load(ordering: .relaxed)
  }
}
