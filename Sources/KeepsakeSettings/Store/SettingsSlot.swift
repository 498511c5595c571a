import Dispatch
public import KeepsakeBase
import KeepsakeCoding
public import Observation

/// One key of a store as it is read: the value that counts, and the tasks that wait for the next.
@usableFromInline
final class SettingsSlot: Sendable, Observable {
  /// A value, the layer it comes from, and the number of the change that it is of.
  typealias Resolution = (value: PropertyList.Value?, layer: SettingsLayer?, sequence: UInt64)

  struct State {
    var value: PropertyList.Value?
    var layer: SettingsLayer?
    /// The number of the change that the value is of.
    var sequence: UInt64 = 0
    /// The version whose fault was reported.
    var reported: UInt64 = 0
  }

  let name: SettingsName
  /// Grows with each change of the value; its lowest bits say what ``bits`` hold.
  ///
  /// It is compared with nothing but itself, and changes under the lock.
  @usableFromInline let version = Atomic<UInt64>(SlotScalar.step)
  /// A value that fits in here, for those who read it without the lock.
  private let bits = Atomic<UInt64>(0)
  let state: Mutex<State>
  let waiters = Waiters()
  private let registrar = ObservationRegistrar()
  /// Whether anyone has ever read the value: nobody else can be waiting to be told.
  ///
  /// Set under the lock: a change finds it set, or the reader finds the change. Once true it stays so.
  /// Observation hears of a reader only when the reader's body has ended, so that a change during it
  /// finds no one; who reads must still be told of the next.
  private let wasRead = Atomic<Bool>(false)

  /// What Observation knows the slot's value by; nobody reads it this way.
  private var value: Never? { nil }
  // Made once: a key path costs more to make than to use.
  private static let sharedKeyPath: any KeyPath<SettingsSlot, Never?> & Sendable = \.value
  private let keyPath = SettingsSlot.sharedKeyPath

  init(name: SettingsName) {
    self.name = name
    state = Mutex(State())
  }

  /// Tells Observation that whoever is tracked now reads the value; called before it is read.
  @usableFromInline
  func access() {
    if !wasRead.load(ordering: .acquiring) {
      state.withLock { _ in wasRead.store(true, ordering: .releasing) }
    }
    registrar.access(self, keyPath: keyPath)
  }

  /// Applies a value of the app's own settings, unless a later one is there already, or one of a
  /// layer that comes before them.
  func update(own value: PropertyList.Value, sequence: UInt64) {
    let hasChanged = state.withLock { state in
      switch state.layer {
      case .arguments, .managed: false
      default: apply(value, from: .app, sequence: sequence, to: &state)
      }
    }
    if hasChanged { notify() }
  }

  /// Applies the value that counts now, and notifies if it is another than before.
  ///
  /// - Parameters:
  ///   - queue: Where observers run; `nil` for at once.
  ///   - resolve: Called with the slot's lock held, so that of two threads the last to be asked gives
  ///     the last value.
  func update(notifyingOn queue: DispatchQueue? = nil, _ resolve: () -> Resolution) {
    let hasChanged = state.withLock { state in
      let (value, layer, sequence) = resolve()
      if value == state.value && layer == state.layer {
        // Of two changes that are heard of together, the second brings nothing new.
        state.sequence = max(state.sequence, sequence)
        return false
      }
      return apply(value, from: layer, sequence: sequence, to: &state)
    }
    if hasChanged { notify(on: queue) }
  }

  /// - Returns: Whether the value is not older than the present one.
  private func apply(
    _ value: PropertyList.Value?, from layer: SettingsLayer?, sequence: UInt64,
    to state: inout State
  ) -> Bool {
    if sequence < state.sequence { return false }
    state.value = value
    // Most often it is the app's own layer as before: to assign it again would cost a release.
    if case .app = layer, case .app = state.layer {} else { state.layer = layer }
    state.sequence = sequence
    publish(value)
    return true
  }

  /// Gives the value to those who read it without the lock, which is held here.
  private func publish(_ value: PropertyList.Value?) {
    let old = version.load(ordering: .relaxed)
    let new = old - old % SlotScalar.step + SlotScalar.step
    guard let scalar = SlotScalar(value) else {
      return version.store(new, ordering: .releasing)
    }
    // Meanwhile the lock is asked: of a reader that sees the new bits, the second look at the version
    // sees this at the least.
    version.store(new, ordering: .relaxed)
    bits.store(scalar.bits, ordering: .releasing)
    version.store(new + scalar.kind.rawValue, ordering: .releasing)
  }

  /// Notifies Observation and the tasks that wait; called with no lock held.
  private func notify(on queue: DispatchQueue? = nil) {
    waiters.resumeAll()
    if !wasRead.load(ordering: .acquiring) { return }
    if let queue {
      queue.async { [self] in registrar.withMutation(of: self, keyPath: keyPath) {} }
    } else {
      registrar.withMutation(of: self, keyPath: keyPath) {}
    }
  }

  /// What is stored, tracked by Observation.
  func read() -> PropertyList.Value? {
    access()
    return stored
  }

  /// What is stored.
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
  /// It takes the lock that changes are made under, as ``Waiters`` asks of a task's condition.
  func hasChanged(since version: UInt64) -> Bool {
    state.withLock { _ in self.version.load(ordering: .relaxed) != version }
  }

  /// Whether a fault of the present value is to be reported: each is, once.
  func isFirstReport() -> Bool {
    state.withLock { state in
      let version = version.load(ordering: .relaxed)
      defer { state.reported = version }
      return state.reported != version
    }
  }
}
