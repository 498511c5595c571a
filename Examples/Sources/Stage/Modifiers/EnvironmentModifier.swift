/// Hands something down to the views inside.
struct EnvironmentModifier: PrimitiveModifier {
  let change: (inout EnvironmentValues) -> Void

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    var inner = scope.child(.content)
    change(&inner.environment)
    return inner.resolve(content)
  }
}

extension View {
  /// Sets a value of the environment for the views inside.
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    modified(EnvironmentModifier { $0[keyPath: keyPath] = value })
  }

  /// Provides an object for the views inside.
  public func environmentObject<Object: ObservableObject>(_ object: Object) -> some View {
    modified(EnvironmentModifier { $0[object: Object.self] = object })
  }
}
