public import Keepsake

/// A value that belongs to a view and lasts as long as the view is on screen.
@propertyWrapper
public struct State<Value: Sendable>: Sendable {
  /// Of a view value, which is created each time, in place of its own the one that lasts.
  private var storage: ObservedValue<Value>

  /// Begins with a value.
  public init(wrappedValue: Value) { storage = ObservedValue(wrappedValue) }

  /// Begins with a value.
  public init(initialValue: Value) { storage = ObservedValue(initialValue) }

  /// The value.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }
}

extension State: LinkedProperty {
  mutating func link(to node: ViewNode, at offset: Int) {
    storage = node.kept(at: offset) { [storage] in storage }
  }
}
