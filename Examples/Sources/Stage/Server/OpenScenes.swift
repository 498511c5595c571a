/// The scenes that have a window, also one in the background.
@MainActor
public final class OpenScenes: ObservableObject {
  /// A scene and the title of its window.
  public struct OpenScene: Identifiable, Hashable, Sendable {
    /// The identity of the scene, which lasts from run to run.
    public let id: String
    /// What the window is called.
    public fileprivate(set) var title: String
  }

  /// The scenes, in the order in which their windows were opened.
  @Published public private(set) var scenes: [OpenScene] = []
  private var renderers: [String: SceneRenderer] = [:]

  package func renderer(of id: String) -> SceneRenderer? {
    scenes.contains { $0.id == id } ? renderers[id] : nil
  }

  func add(_ renderer: SceneRenderer) {
    let id = renderer.session.id
    renderers[id] = renderer
    scenes.append(OpenScene(id: id, title: Self.title(renderer.title)))
    renderer.onTitle = { [weak self] in self?.retitle(id, $0) }
  }

  func remove(_ id: String) {
    renderers[id] = nil
    scenes.removeAll { $0.id == id }
  }

  private func retitle(_ id: String, _ title: String?) {
    guard let index = scenes.firstIndex(where: { $0.id == id }) else { return }
    scenes[index].title = Self.title(title)
  }

  private static func title(_ title: String?) -> String {
    guard let title, !title.isEmpty else { return "Untitled" }
    return title
  }
}

extension EnvironmentValues {
  /// The scenes of the app's windows.
  @MainActor public var openScenes: OpenScenes {
    self[object: OpenScenes.self] ?? OpenScenes()
  }
}
