/// A value that the surroundings of a view provide.
@MainActor
@propertyWrapper
public struct Environment<Value> {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private var values = EnvironmentValues()

  /// Reads the value at a key path of the environment.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    self.keyPath = keyPath
  }

  /// The value as the view's surroundings have it.
  public var wrappedValue: Value { values[keyPath: keyPath] }
}

extension Environment: LinkedProperty {
  mutating func link(to node: ViewNode, at offset: Int) {
    values = node.environment
  }
}
