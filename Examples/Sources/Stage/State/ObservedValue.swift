import Observation
import Synchronization

/// How many values have changed that are Stage's own.
let observedValueChanges = Atomic<UInt64>(0)

/// One value that notifies its readers when it has changed.
///
/// The value is changed first and told afterwards, so a reader that comes back finds the new one.
package final class ObservedValue<Value: Sendable>: Sendable {
  private let subject = ObservedSubject()
  private let stored: Mutex<Value>

  init(_ value: Value) {
    stored = Mutex(value)
  }

  package var value: Value {
    get {
      subject.access()
      return stored.withLock { $0 }
    }
    set {
      stored.withLock { $0 = newValue }
      observedValueChanges.add(1, ordering: .sequentiallyConsistent)
      subject.notify()
    }
  }
}

/// What Observation knows of a value: of one type for all, because the key path of a generic type is
/// created at each use.
final class ObservedSubject: Sendable, Observable {
  private let registrar = ObservationRegistrar()

  private var value: Never? { nil }
  private static let keyPath: any KeyPath<ObservedSubject, Never?> & Sendable = \.value

  func access() { registrar.access(self, keyPath: Self.keyPath) }

  func notify() { registrar.withMutation(of: self, keyPath: Self.keyPath) {} }
}
