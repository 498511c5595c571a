/// Does something when its view comes on screen or leaves it.
struct AppearanceModifier: PrimitiveModifier {
  var appear: (@MainActor () -> Void)?
  var disappear: (@MainActor () -> Void)?

  private final class Appearance: Slot {
    unowned let renderer: SceneRenderer
    var isVisible = false
    var disappear: (@MainActor () -> Void)?

    init(renderer: SceneRenderer) {
      self.renderer = renderer
    }

    func remove() {
      if isVisible, let disappear { renderer.enqueue(disappear) }
    }
  }

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    let renderer = scope.owner.renderer
    let appearance = scope.slot { Appearance(renderer: renderer) }
    if scope.isVisible != appearance.isVisible {
      appearance.isVisible = scope.isVisible
      if let action = scope.isVisible ? appear : disappear { renderer.enqueue(action) }
    }
    appearance.disappear = disappear
    return scope.child(.content).resolve(content)
  }
}

extension View {
  /// Does something each time the view comes on screen.
  public func onAppear(perform action: (@MainActor () -> Void)? = nil) -> some View {
    modified(AppearanceModifier(appear: action))
  }

  /// Does something each time the view leaves the screen.
  public func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> some View {
    modified(AppearanceModifier(disappear: action))
  }
}
