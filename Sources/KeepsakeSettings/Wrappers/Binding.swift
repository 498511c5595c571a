/// A property that reads and writes a value stored elsewhere.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// Creates a binding that reads and writes through two closures.
  public init(
    get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void
  ) {
    self.get = get
    self.set = set
  }

  /// Creates a binding to a value that never changes; writes have no effect.
  public static func constant(_ value: Value) -> Binding {
    Binding(get: { value }, set: { _ in })
  }

  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself.
  public var projectedValue: Binding { self }

  /// Returns a binding to a property of the value.
  public subscript<Part: Sendable>(
    dynamicMember keyPath: any WritableKeyPath<Value, Part> & Sendable
  ) -> Binding<Part> {
    Binding<Part> {
      wrappedValue[keyPath: keyPath]
    } set: { part in
      wrappedValue[keyPath: keyPath] = part
    }
  }
}
