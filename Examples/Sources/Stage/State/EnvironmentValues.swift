public import Keepsake

/// A key of a value that views hand down to the views inside them.
public protocol EnvironmentKey {
  /// The type of the value.
  associatedtype Value

  /// The value where nobody has set one.
  static var defaultValue: Value { get }
}

/// What the surroundings of a view provide.
public struct EnvironmentValues {
  private struct DismissKey: EnvironmentKey {
    static var defaultValue: @MainActor () -> Void { {} }
  }

  /// By their keys, and objects by their types.
  private var values: [ObjectIdentifier: Any] = [:]

  /// Makes an environment of default values.
  public init() {}

  /// The phase of the scene which the view is in.
  public var scenePhase: ScenePhase { session?.phase ?? .active }

  /// The identity of the scene which the view is in, which lasts from run to run.
  public var sceneID: String? { session?.id }

  /// Ends the sheet which the view is in.
  public internal(set) var dismiss: @MainActor () -> Void {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  private var session: SceneSession? { self[object: SceneSession.self] }

  /// Whether nothing was set since one was copied from the other.
  func isSame(as other: EnvironmentValues) -> Bool {
    withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
  }

  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The object of a type.
  subscript<Object: AnyObject>(object type: Object.Type) -> Object? {
    get { values[ObjectIdentifier(type)] as? Object }
    set { values[ObjectIdentifier(type)] = newValue }
  }
}
