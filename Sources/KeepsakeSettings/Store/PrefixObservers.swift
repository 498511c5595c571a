import KeepsakeBase

/// The loops that wait for changes of settings whose names have a prefix.
final class PrefixObservers: Sendable {
  private struct Entry {
    weak var observer: PrefixObserver?
  }

  private let entries = Mutex<[Entry]>([])
  /// Whether there was never an observer, so that a change need not acquire the lock.
  private let isUnused = Atomic<Bool>(true)

  func makeObserver(prefix: String) -> PrefixObserver {
    let observer = PrefixObserver(prefix: prefix)
    entries.withLock { entries in
      entries.removeAll { $0.observer == nil }
      entries.append(Entry(observer: observer))
    }
    // An observer reads the settings after this under the lock of their changes: it finds a change
    // whose writer still read `true`.
    isUnused.store(false, ordering: .releasing)
    return observer
  }

  /// Notifies the observers of changes; the caller must not hold a lock.
  @inline(__always)
  func notify(_ names: @autoclosure () -> [SettingsName]) {
    if !isUnused.load(ordering: .acquiring) { notifyAll(names()) }
  }

  private func notifyAll(_ names: [SettingsName]) {
    for observer in entries.withLock({ $0.compactMap(\.observer) }) {
      if names.contains(where: { $0.hasPrefix(observer.prefix) }) { observer.signal.advance() }
    }
  }
}

/// One loop that waits for changes of settings whose names have a prefix.
final class PrefixObserver: Sendable {
  let prefix: String
  let signal = ChangeSignal()

  init(prefix: String) { self.prefix = prefix }
}
