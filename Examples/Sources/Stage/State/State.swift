public import Keepsake
import Synchronization

/// A value that belongs to a view and lasts as long as the view is on screen.
@propertyWrapper
public struct State<Value: Sendable>: Sendable {
  /// Points from a view value, which is created each time, to the storage, which is not.
  private final class Location: Sendable {
    let storage: Mutex<ObservedValue<Value>>

    init(_ value: Value) {
      storage = Mutex(ObservedValue(value))
    }
  }

  private let location: Location

  /// Begins with a value.
  public init(wrappedValue: Value) {
    location = Location(wrappedValue)
  }

  /// Begins with a value.
  public init(initialValue: Value) {
    location = Location(initialValue)
  }

  /// The value.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }

  private var storage: ObservedValue<Value> {
    location.storage.withLock { $0 }
  }
}

extension State: LinkedProperty {
  func link(to node: ViewNode, at index: Int) {
    let kept = node.kept(at: index) { storage }
    location.storage.withLock { $0 = kept }
  }
}
