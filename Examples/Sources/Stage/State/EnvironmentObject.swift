/// An observable object that a view further out provides with `environmentObject(_:)`.
@MainActor
@propertyWrapper
public struct EnvironmentObject<Object: ObservableObject> {
  private var object: Object?

  /// Waits for the object of the surroundings.
  public init() {}

  /// The object.
  public var wrappedValue: Object {
    guard let object else {
      fatalError("No \(Object.self) here: a view further out must provide it.")
    }
    return object
  }
}

extension EnvironmentObject: LinkedProperty {
  mutating func link(to node: ViewNode, at offset: Int) {
    object = node.environment[object: Object.self]
  }
}
