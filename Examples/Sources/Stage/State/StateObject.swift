/// An observable object that belongs to a view or an app and is made once for it.
@MainActor
@propertyWrapper
public struct StateObject<Object: ObservableObject> {
  private final class Location {
    let make: () -> Object
    lazy var object = make()

    init(make: @escaping () -> Object) {
      self.make = make
    }
  }

  private let location: Location

  /// Makes the object when it is first needed.
  public init(wrappedValue: @autoclosure @escaping () -> Object) {
    location = Location(make: wrappedValue)
  }

  /// The object.
  public var wrappedValue: Object { location.object }
}

extension StateObject: LinkedProperty {
  mutating func link(to node: ViewNode, at offset: Int) {
    location.object = node.kept(at: offset) { location.object }
  }
}
