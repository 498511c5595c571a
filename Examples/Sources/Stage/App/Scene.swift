/// A part of an app that has windows.
@MainActor
public protocol Scene {
  /// What the scene is made of.
  associatedtype Body: Scene

  /// The scene's content.
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

extension Scene where Body == Never {
  /// Never called: such a scene is shown by Stage itself.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Makes a scene of what is written in a closure.
@MainActor
@resultBuilder
public enum SceneBuilder {
  /// Passes a single scene on.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

extension Scene {
  /// What a new window of the scene shows.
  var windowContent: any View {
    (self as? any WindowContent)?.makeContent() ?? body.windowContent
  }
}

@MainActor
protocol WindowContent {
  func makeContent() -> any View
}
