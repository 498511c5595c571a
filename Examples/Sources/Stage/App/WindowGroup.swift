/// Windows, as many as the user opens, which all show the same views.
public struct WindowGroup<Content: View>: Scene {
  private let content: @MainActor () -> Content

  /// Makes windows that show the views of a closure.
  public init(@ViewBuilder content: @escaping @MainActor () -> Content) {
    self.content = content
  }
}

extension WindowGroup: WindowContent {
  /// The root of one window, so that what the closure reads is that window's.
  private struct Root: View {
    let content: @MainActor () -> Content

    var body: some View { content() }
  }

  func makeContent() -> any View {
    Root(content: content)
  }
}
