import Dispatch
public import KeepsakeBase
import KeepsakeCoding
public import Observation

/// The effective value of one key, and the tasks that wait for its next change.
@usableFromInline
final class SettingsSlot: Sendable, Observable {
  /// A value, its layer, and the sequence number of the change that set it.
  typealias Resolution = (value: PropertyList.Value?, layer: SettingsLayer?, sequence: UInt64)

  struct State {
    var value: PropertyList.Value?
    var layer: SettingsLayer?
    /// The sequence number of the change that set the value.
    var sequence: UInt64 = 0
    /// The version whose error was reported.
    var reported: UInt64 = 0
  }

  let name: SettingsName
  /// Grows with each change of the value; its lowest bits are the type of ``bits``.
  ///
  /// It is only compared with itself, and changes under the lock.
  @usableFromInline let version = Atomic<UInt64>(SlotScalar.step)
  /// The value if it fits in one word, for lock-free reads.
  private let bits = Atomic<UInt64>(0)
  let state: Mutex<State>
  let waiters = Waiters()
  private let registrar = ObservationRegistrar()
  /// Whether the value was ever read; without a read there is no observer to notify.
  ///
  /// Set under the lock: either a change sees it set, or the reader sees the change. It is never
  /// reset: Observation registers a reader only after the reader's body ends, so a change during
  /// the body finds no observer, but the reader must still be notified of the next one.
  private let wasRead = Atomic<Bool>(false)

  /// The property that identifies the value for Observation; never read.
  private var value: Never? { nil }
  // Created once: creating a key path costs more than using it.
  private static let sharedKeyPath: any KeyPath<SettingsSlot, Never?> & Sendable = \.value
  private let keyPath = SettingsSlot.sharedKeyPath

  init(name: SettingsName) {
    self.name = name
    state = Mutex(State())
  }

  /// Registers a read with Observation; called before the value is read.
  @usableFromInline
  func access() {
    if !wasRead.load(ordering: .acquiring) {
      state.withLock { _ in wasRead.store(true, ordering: .releasing) }
    }
    registrar.access(self, keyPath: keyPath)
  }

  /// Applies a value of the app's own settings, unless the slot has a later one or one from a layer
  /// with precedence.
  func update(own value: PropertyList.Value, sequence: UInt64) {
    let hasChanged = state.withLock { state in
      switch state.layer {
      case .arguments, .managed: false
      default: apply(value, from: .app, sequence: sequence, to: &state)
      }
    }
    if hasChanged { notify() }
  }

  /// Applies the effective value, and notifies observers if it changed.
  ///
  /// - Parameters:
  ///   - queue: The queue for observers; `nil` notifies them synchronously.
  ///   - resolve: Called with the slot's lock held, so that the thread that resolves last applies
  ///     the latest value.
  func update(notifyingOn queue: DispatchQueue? = nil, _ resolve: () -> Resolution) {
    let hasChanged = state.withLock { state in
      let (value, layer, sequence) = resolve()
      if value.isIdentical(to: state.value) && layer == state.layer {
        // When two changes arrive together, the second finds its value already applied.
        state.sequence = max(state.sequence, sequence)
        return false
      }
      return apply(value, from: layer, sequence: sequence, to: &state)
    }
    if hasChanged { notify(on: queue) }
  }

  /// - Returns: Whether the value was applied; an older one than the current is not.
  private func apply(
    _ value: PropertyList.Value?, from layer: SettingsLayer?, sequence: UInt64,
    to state: inout State
  ) -> Bool {
    if sequence < state.sequence { return false }
    state.value = value
    // Usually it is the app's own layer again, and assigning it would cost a release.
    if case .app = layer, case .app = state.layer {} else { state.layer = layer }
    state.sequence = sequence
    publish(value)
    return true
  }

  /// Publishes the value to lock-free readers; called with the lock held.
  private func publish(_ value: PropertyList.Value?) {
    let old = version.load(ordering: .relaxed)
    let new = old - old % SlotScalar.step + SlotScalar.step
    guard let scalar = SlotScalar(value) else {
      return version.store(new, ordering: .releasing)
    }
    // This version sends readers to the lock. A reader that sees the new bits sees at least this
    // version when it checks again.
    version.store(new, ordering: .relaxed)
    bits.store(scalar.bits, ordering: .releasing)
    version.store(new + scalar.kind.rawValue, ordering: .releasing)
  }

  /// Notifies observers and waiting tasks; called with no lock held.
  private func notify(on queue: DispatchQueue? = nil) {
    waiters.resumeAll()
    if !wasRead.load(ordering: .acquiring) { return }
    ObservedChanges.increment()
    if let queue {
      queue.async { [self] in registrar.withMutation(of: self, keyPath: keyPath) {} }
    } else {
      registrar.withMutation(of: self, keyPath: keyPath) {}
    }
  }

  /// Reads the value, tracked by Observation.
  func read() -> PropertyList.Value? {
    access()
    return stored
  }

  /// The value, not tracked by Observation.
  var stored: PropertyList.Value? {
    let version = version.load(ordering: .acquiring)
    if let kind = SlotScalar.Kind(rawValue: version % SlotScalar.step) {
      let bits = bits.load(ordering: .acquiring)
      if self.version.load(ordering: .relaxed) == version {
        return SlotScalar(kind: kind, bits: bits).value
      }
    }
    return state.withLock { $0.value }
  }

  /// Whether the value has changed since a version.
  ///
  /// It acquires the lock that changes are made under, as ``Waiters`` requires of a condition.
  func hasChanged(since version: UInt64) -> Bool {
    state.withLock { _ in self.version.load(ordering: .relaxed) != version }
  }

  /// Whether an error of the current value has not been reported yet; marks it as reported.
  func isFirstReport() -> Bool {
    state.withLock { state in
      let version = version.load(ordering: .relaxed)
      defer { state.reported = version }
      return state.reported != version
    }
  }
}
