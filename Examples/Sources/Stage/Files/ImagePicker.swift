/// A button to choose images with.
public struct ImagePicker<Label: View>: View {
  /// It has no body.
  public typealias Body = Never

  private let action: @MainActor (Upload) -> Void
  private let label: Label

  /// Makes a button of what it does with each image and what it shows.
  public init(
    action: @escaping @MainActor (Upload) -> Void, @ViewBuilder label: () -> Label
  ) {
    self.action = action
    self.label = label()
  }
}

extension ImagePicker: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let field = [
      "data-upload": "", "multiple": "", "accept": "image/png,image/jpeg,image/gif,image/webp",
    ]
    return scope.resolvePicker(field, action, label)
  }
}

extension Scope {
  /// A button that has the browser show its dialog for files.
  func resolvePicker(
    _ attributes: [String: String], _ action: @escaping @MainActor (Upload) -> Void,
    _ label: some View
  ) -> [Output] {
    let button = Element(id: id, tag: "label", attributes: ["data-button": ""])
    var field = Element(id: id + "i", tag: "input", attributes: attributes)
    field.attributes.merge(["type": "file", "class": "unseen"]) { _, new in new }
    field.handlers.upload = action
    return [.element(button, [.element(field, [])] + child(.label).resolve(label))]
  }
}

extension View {
  /// Does something with each image that the user drops on the view, or pastes into the window.
  public func onDrop(perform action: @escaping @MainActor (Upload) -> Void) -> some View {
    var element = Element(attributes: ["data-drop": ""], layout: .merge)
    element.handlers.upload = action
    return modified(Decoration(element: element))
  }
}
