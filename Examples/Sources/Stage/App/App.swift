public import KeepsakeConfiguration

/// A program that shows scenes; mark it with `@main`.
@MainActor
public protocol App {
  /// What the app is made of.
  associatedtype Body: Scene

  /// The app's scenes.
  @SceneBuilder var body: Body { get }

  /// Makes the app, before anything is shown.
  init()

  /// What the person who installs the app decides, if it reads that; the console shows where it comes from.
  var configuration: EnvironmentConfiguration? { get }

  /// Style sheets and scripts that a page loads after Stage's own, by their names, which end in `.css` or `.js`.
  static var pageFiles: KeyValuePairs<String, [UInt8]> { get }

  /// The name under which the app's data is kept, written like `com.example.HIITFit`.
  static var identifier: String { get }
}

extension App {
  /// None.
  public var configuration: EnvironmentConfiguration? { nil }

  /// None.
  public static var pageFiles: KeyValuePairs<String, [UInt8]> { [:] }

  /// `com.example.`, and the name of the type without its ending `App`.
  public static var identifier: String {
    "com.example." + name
  }

  /// The name that windows and messages show.
  static var name: String {
    let type = String(describing: Self.self)
    return type.hasSuffix("App") && type != "App" ? String(type.dropLast(3)) : type
  }
}
