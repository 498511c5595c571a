import Observation
import Synchronization

/// How many values have changed that are Stage's own.
let observedValueChanges = Atomic<UInt64>(0)

/// One value that notifies its readers when it has changed.
///
/// The value is changed first and told afterwards, so a reader that comes back finds the new one.
final class ObservedValue<Value: Sendable>: Sendable, Observable {
  private let registrar = ObservationRegistrar()
  private let stored: Mutex<Value>

  init(_ value: Value) {
    stored = Mutex(value)
  }

  var value: Value {
    get {
      registrar.access(self, keyPath: \.value)
      return stored.withLock { $0 }
    }
    set {
      stored.withLock { $0 = newValue }
      observedValueChanges.add(1, ordering: .sequentiallyConsistent)
      registrar.withMutation(of: self, keyPath: \.value) {}
    }
  }
}
