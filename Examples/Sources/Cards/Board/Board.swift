import Stage

/// A surface with units of its own, on which views are put with `placed` or `movable`.
///
/// It is as wide as the room it is given, and its views grow and shrink with it.
struct Board<Content: View>: View {
  /// It has no body.
  private let size: CGSize
  private let color: Color
  private let action: (@MainActor () -> Void)?
  private let content: Content

  /// Makes a board.
  ///
  /// - Parameters:
  ///   - size: How many of its units the board is wide and high.
  ///   - color: What is behind its views.
  ///   - action: What a tap beside the views does. A board that has one is to be worked on: it is
  ///     never higher than its window.
  init(
    size: CGSize, color: Color, action: (@MainActor () -> Void)? = nil,
    @ViewBuilder content: () -> Content
  ) {
    self.size = size
    self.color = color
    self.action = action
    self.content = content()
  }
}

extension Board: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    var board = Element(
      id: id,
      attributes: [
        "class": "board", "data-width": "\(size.width)", "data-height": "\(size.height)",
      ])
    board.style = [
      "aspect-ratio": "\(size.width) / \(size.height)", "--ratio": "\(size.width / size.height)",
      "--unit": "calc(100cqw / \(size.width))",
    ]
    var surface = Element(id: id + "s", attributes: ["class": "surface"])
    surface.style = ["background": color.css]
    if let action {
      surface.on(.tap) { _ in action() }
      board.attributes["class"] = "board large"
      surface.attributes["data-tap"] = ""
      surface.attributes["tabindex"] = "-1"
    }
    return [
      .element(board, [.element(surface, scope.child(.content).resolve(content))])
    ]
  }
}

extension View {
  /// Has the page send a picture of the `Board`, as an image of a few hundred pixels, once it has been on
  /// screen for a while.
  ///
  /// - Parameter version: What is shown; for another version there is another picture.
  func drawn(
    version: String, perform action: @escaping @MainActor (Upload) -> Void
  ) -> some View {
    var element = Element(attributes: ["data-draw": version], layout: .merge)
    element.onUpload(perform: action)
    return modified(Decoration(element))
  }
}
