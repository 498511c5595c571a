/// A value that lives elsewhere, and can be read and changed there.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// A binding to whatever two closures read and change.
  public init(
    get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void
  ) {
    self.get = get
    self.set = set
  }

  /// A binding to a value that never changes.
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

  /// A binding to a part of the value.
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
