import KeepsakeBase

/// The loops that wait for changes of settings whose names have a prefix.
final class PrefixObservers: Sendable {
  /// Without a reference to the observer, which would have to be weak: each change would pay for reading it.
  private struct Entry {
    let identity: UInt64
    let prefix: String
    let signal: ChangeSignal
  }

  private struct State {
    var entries: [Entry] = []
    var nextIdentity: UInt64 = 0
  }

  private let state = Mutex(State())
  /// Whether there is no observer, so that a change need not acquire the lock.
  let isUnused = Atomic<Bool>(true)

  /// Adds an observer, until it is released.
  func makeObserver(prefix: String) -> PrefixObserver {
    let signal = ChangeSignal()
    // An observer reads the settings after this under the lock of their changes: it finds a change
    // whose writer still read `true`.
    let identity = update { state in
      state.nextIdentity += 1
      state.entries.append(
        Entry(identity: state.nextIdentity, prefix: prefix, signal: signal))
      return state.nextIdentity
    }
    return PrefixObserver(signal: signal) { [self] in
      update { state in state.entries.removeAll { $0.identity == identity } }
    }
  }

  private func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      defer { isUnused.store(state.entries.isEmpty, ordering: .releasing) }
      return body(&state)
    }
  }

  /// Notifies the observers of changes; the caller must not hold a lock.
  @inline(__always)
  func notify(_ names: some Collection<SettingsName>) {
    if !isUnused.load(ordering: .acquiring) { notifyAll(names) }
  }

  private func notifyAll(_ names: some Collection<SettingsName>) {
    for entry in state.withLock({ $0.entries })
    where names.contains(where: { $0.hasPrefix(entry.prefix) }) {
      entry.signal.advance()
    }
  }
}

/// One loop that waits for changes of settings whose names have a prefix.
final class PrefixObserver: Sendable {
  let signal: ChangeSignal
  private let end: @Sendable () -> Void

  /// - Parameter end: What is done when it is released.
  init(signal: ChangeSignal, end: @escaping @Sendable () -> Void) {
    (self.signal, self.end) = (signal, end)
  }

  deinit { end() }
}
