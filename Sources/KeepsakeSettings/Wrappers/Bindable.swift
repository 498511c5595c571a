/// An object whose properties have bindings, for example settings in a class.
///
/// ```swift
/// @Bindable var preferences = Preferences()
/// Toggle("Sound", isOn: $preferences.isSoundOn)
/// ```
@propertyWrapper
@dynamicMemberLookup
public struct Bindable<Object: AnyObject & Sendable>: Sendable {
  /// The object.
  public var wrappedValue: Object

  /// Wraps an object.
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }

  /// Wraps an object.
  public init(_ object: Object) { self.init(wrappedValue: object) }

  /// The wrapped object, whose properties are bindings.
  public var projectedValue: Bindable { self }

  /// Returns a binding to a property of the object.
  public subscript<Value: Sendable>(
    dynamicMember keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
  ) -> Binding<Value> {
    Binding { [wrappedValue] in
      wrappedValue[keyPath: keyPath]
    } set: { [wrappedValue] in
      wrappedValue[keyPath: keyPath] = $0
    }
  }
}
