/// A property of an observable object that tells the views which read it when it changes.
@propertyWrapper
public struct Published<Value: Sendable>: Sendable {
  private let storage: ObservedValue<Value>

  /// Begins with a value.
  public init(wrappedValue: Value) {
    storage = ObservedValue(wrappedValue)
  }

  /// The value.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
}
