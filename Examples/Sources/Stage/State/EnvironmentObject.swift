/// An observable object that a view further out provides with `environmentObject(_:)`.
@MainActor
@propertyWrapper
public struct EnvironmentObject<Object: ObservableObject> {
  private final class Location {
    var object: Object?
  }

  private let location = Location()

  /// Waits for the object of the surroundings.
  public init() {}

  /// The object.
  public var wrappedValue: Object {
    guard let object = location.object else {
      fatalError("No \(Object.self) here: a view further out must provide it.")
    }
    return object
  }
}

extension EnvironmentObject: LinkedProperty {
  func link(to node: ViewNode, at index: Int) {
    location.object = node.environment[object: Object.self]
  }
}
