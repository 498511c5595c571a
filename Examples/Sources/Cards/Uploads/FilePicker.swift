import Stage

/// A button to choose images or a file with, which a browser's own dialog shows.
struct FilePicker<Label: View>: View {
  private let attributes: Attributes
  private let areImages: Bool
  private let action: @MainActor (Upload) -> Void
  private let label: Label

  /// Makes a button of what it does with each image and what it shows.
  init(
    imagesFor action: @escaping @MainActor (Upload) -> Void, @ViewBuilder label: () -> Label
  ) {
    attributes = [
      "type": "file", "class": "unseen", "data-upload": "", "multiple": "",
      "accept": "image/png,image/jpeg,image/gif,image/webp",
    ]
    areImages = true
    self.action = action
    self.label = label()
  }

  /// Makes a button of the extension of the files, what it does with one of at most 64 MB, and what it shows.
  init(
    _ pathExtension: String, action: @escaping @MainActor (Upload) -> Void,
    @ViewBuilder label: () -> Label
  ) {
    attributes = [
      "type": "file", "class": "unseen", "data-upload": "file", "accept": ".\(pathExtension)",
    ]
    areImages = false
    self.action = action
    self.label = label()
  }
}

extension FilePicker: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let button = Element(id: scope.id, tag: "label", attributes: ["data-button": ""])
    var field = Element(id: scope.id + "i", tag: "input", attributes: attributes)
    field.onUpload(areImages: areImages, perform: action)
    return [.element(button, [.element(field)] + scope.child(.label).resolve(label))]
  }
}

extension View {
  /// Does something with each image that the user drops on the view, or pastes into the window.
  func onDrop(perform action: @escaping @MainActor (Upload) -> Void) -> some View {
    onDrop("images", areImages: true, perform: action)
  }

  /// Does something with each card's file, where the user drops several on the view; a single one is
  /// what the user chooses in the view's `FilePicker`.
  func onDropOfCards(perform action: @escaping @MainActor (Upload) -> Void) -> some View {
    onDrop("cards", areImages: false, perform: action)
  }

  private func onDrop(
    _ kind: String, areImages: Bool, perform action: @escaping @MainActor (Upload) -> Void
  ) -> some View {
    var element = Element(attributes: ["data-drop": kind], layout: .merge)
    element.onUpload(areImages: areImages, perform: action)
    return modified(Decoration(element))
  }
}
