import Stage

/// What is in the sheet that is open over a card.
struct OpenSheetView: View {
  let sheet: EditingState.Sheet
  let card: Card
  let editor: CardEditor
  /// Opens another card.
  let open: @MainActor (UUID) -> Void

  var body: some View {
    switch sheet {
    case .card(let name):
      CardSheet(card: card, oldName: name, name: editor.$state.name, editor: editor, open: open)
    case .background:
      BackgroundSheet(card: card, editor: editor)
    case .newText(let element):
      TextSheet(title: "Add text", element: element, draft: editor.$state.text) {
        var element = $0
        element.transform.offset = card.freeOffset(for: element.shownTransform.size)
        editor.add(element)
        editor.sheet = nil
      }
    case .text(let element):
      // What was half done in one element is not offered in another.
      ForEach([element.id], id: \.self) { _ in
        TextSheet(title: "Edit text", element: element, draft: editor.$state.text) { changed in
          editor.update(
            element,
            [
              ElementChange(\.text, from: element, to: changed),
              ElementChange(\.textColor, from: element, to: changed),
              ElementChange(\.textFont, from: element, to: changed),
              ElementChange(\.fontSize, from: element, to: changed),
              ElementChange(\.transform.size, from: element, to: changed),
            ].compactMap { $0 })
        }
      }
    case .frame(let element):
      FrameSheet(element: element) { frame in
        editor.update(element, [ElementChange(\.frame, frame)])
      }
    }
  }
}
