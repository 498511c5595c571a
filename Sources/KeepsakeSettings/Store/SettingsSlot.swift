import KeepsakeCoding
import Observation
import Synchronization

/// One key of a store as it is read: the value that counts, and those who wait for the next.
final class SettingsSlot: Sendable, Observable {
  struct State {
    var value: PropertyList.Value?
    var layer: SettingsLayer?
    /// The number of the change that the value is of.
    var sequence: UInt64 = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiting = 0
    /// The version whose fault was reported.
    var reported: UInt64 = 0
  }

  let name: String
  /// Grows with each change of the value.
  let version = Atomic<UInt64>(1)
  let state: Mutex<State>
  private let registrar = ObservationRegistrar()

  /// What Observation knows the slot's value by; nobody reads it this way.
  private var value: Never? { nil }
  // Made once: a key path costs more to make than to use.
  private static let keyPath: any KeyPath<SettingsSlot, Never?> & Sendable = \.value

  init(name: String) {
    self.name = name
    state = Mutex(State())
  }

  /// Tells Observation that whoever is tracked now reads the value.
  @inline(__always)
  func access() {
    registrar.access(self, keyPath: Self.keyPath)
  }

  /// Takes a value, unless a later one is there already; tells all who wait, with no lock held.
  func update(_ value: PropertyList.Value?, from layer: SettingsLayer?, sequence: UInt64) {
    update { (value, layer, sequence) }
  }

  /// Takes the value that counts now; asked for under the slot's lock, it is never older than what
  /// another thread gives.
  func update(
    _ resolve: () -> (value: PropertyList.Value?, layer: SettingsLayer?, sequence: UInt64)
  ) {
    let waiting = state.withLock { state -> [Int: CheckedContinuation<Void, Never>]? in
      let (value, layer, sequence) = resolve()
      guard sequence >= state.sequence else { return nil }
      state.value = value
      state.layer = layer
      state.sequence = sequence
      version.add(1, ordering: .releasing)
      if state.waiting.isEmpty { return [:] }
      defer { state.waiting = [:] }
      return state.waiting
    }
    guard let waiting else { return }
    registrar.withMutation(of: self, keyPath: Self.keyPath) {}
    for continuation in waiting.values { continuation.resume() }
  }

  /// Whether a fault of the present value is to be reported: each is, once.
  func isFirstReport() -> Bool {
    let version = version.load(ordering: .acquiring)
    return state.withLock { state in
      defer { state.reported = version }
      return state.reported != version
    }
  }

  /// Waits until the version is another than the one given.
  func wait(past seen: UInt64) async {
    let token = state.withLock { state in
      defer { state.nextWaiting += 1 }
      return state.nextWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || version.load(ordering: .acquiring) != seen { return true }
          state.waiting[token] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: token) }?.resume()
    }
  }
}
