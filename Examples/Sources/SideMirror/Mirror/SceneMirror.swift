import Stage

/// Another scene, live: what changes there changes here, and what is tapped here is tapped there.
///
/// It shows the page of the other window in the size that it has there, made smaller or larger; if there is
/// no room for that, as large as fits. A scene that has ended is not shown.
struct SceneMirror: View {
  /// It has no body.
  private let id: String
  private let scale: Double
  private let hint: Color?

  /// Shows a scene.
  ///
  /// - Parameters:
  ///   - id: The scene, one of ``OpenScenes/scenes``, but not the one that the view is in.
  ///   - scale: The size here for each unit there; less if the window is too small.
  ///   - hint: The color of the frame while the pointer is in the other window.
  init(_ id: String, scale: Double = 1, hint: Color? = nil) {
    self.id = id
    self.scale = scale
    self.hint = hint
  }
}

extension SceneMirror: PrimitiveView {
  /// What the window keeps for the views around the mirror.
  private static let margin = CGSize(width: 64, height: 280)

  func resolve(in scope: Scope) -> [Output] {
    let renderer = scope.owner.renderer
    guard id != renderer.session.id,
      let source = scope.environment.openScenes.renderer(of: id)
    else { return [] }
    // This changes after the elements were drawn.
    _ = source.drawings.value
    let (size, room) = (source.windowSize.value, renderer.windowSize.value)
    let fitting = min(
      (room.width - Self.margin.width) / size.width,
      (room.height - Self.margin.height) / size.height)
    let scale = max(min(scale, fitting), 0.05)

    let id = scope.id
    var frame = Element(id: id, attributes: ["class": "mirror", "data-scale": "\(scale)"])
    frame.style = ["width": px(size.width * scale), "height": px(size.height * scale)]
    if let hint, source.isPointerInside.value { frame.style["outline-color"] = hint.css }
    var page = Element(id: id + "p", attributes: ["class": "mirrored"])
    page.style = [
      "width": px(size.width), "height": px(size.height), "transform": "scale(\(scale))",
    ]
    let mirrored = source.elements.map { Self.mirrored($0, of: source, prefix: id + "-") }
    return [.element(frame, [.element(page, mirrored)])]
  }

  /// An element of another scene as one of this, which acts in the other.
  private static func mirrored(
    _ own: PageElement, of source: SceneRenderer, prefix: String
  ) -> Output {
    var element = own.element.laidOut(as: prefix + own.id)
    // A sheet would cover the whole window here.
    if own.tag == "dialog" { element.tag = "div" }
    // Shortcuts, the title, Back and scrolling are those of the window that the user is in.
    for name in [
      "data-shortcut", "data-title", "data-back", "data-count", "data-draw", "popover",
    ] {
      element.attributes[name] = nil
    }
    func local(_ value: String) -> String { value.replacing("url(#", with: "url(#\(prefix)") }
    element.attributes = element.attributes.mapValues(local)
    element.style = element.style.mapValues(local)
    if let label = own.attributes["aria-labelledby"] {
      element.attributes["aria-labelledby"] = prefix + label
    }
    element.mapActions { [weak source] _ in
      { event in
        var event = event
        event.id = own.id
        source?.perform(event)
      }
    }
    element.receive = nil
    // Two windows may mirror each other: a mirror in a mirror is empty.
    let isMirror = own.attributes["class"] == "mirror"
    let children = isMirror ? [] : own.children
    return .element(element, children.map { mirrored($0, of: source, prefix: prefix) })
  }
}
