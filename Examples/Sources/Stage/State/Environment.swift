/// A value that the surroundings of a view provide.
@MainActor
@propertyWrapper
public struct Environment<Value> {
  private final class Location {
    var values = EnvironmentValues()
  }

  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let location = Location()

  /// Reads the value at a key path of the environment.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
    self.keyPath = keyPath
  }

  /// The value as the view's surroundings have it.
  public var wrappedValue: Value { location.values[keyPath: keyPath] }
}

extension Environment: LinkedProperty {
  func link(to node: ViewNode, at index: Int) {
    location.values = node.environment
  }
}
