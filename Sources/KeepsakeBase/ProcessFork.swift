/// Counts the forks between this process and the one that loaded the program.
///
/// A forked child shares its parent's open files, offsets and locks. A file that must not be shared
/// is opened again if the count differs from the one at which it was opened.
package enum ProcessFork {
  private static let forks = Atomic<Int>(0)

  private static let isRegistered: Bool =
    pthread_atfork(nil, nil, { ProcessFork.forks.add(1, ordering: .relaxed) }) == 0

  /// The number of forks before this process started; it never changes within a process.
  package static var count: Int {
    _ = isRegistered
    return forks.load(ordering: .relaxed)
  }
}
