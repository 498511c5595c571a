import Stage

/// A text, its color and its letters.
struct TextSheet: View {
  @Environment(\.dismiss) private var dismiss
  @State private var text: String
  @State private var color: Color
  @State private var design: Font.Design
  private let title: String
  private let element: TextElement
  private let finish: @MainActor (TextElement) -> Void

  init(title: String, element: TextElement, finish: @escaping @MainActor (TextElement) -> Void) {
    self.title = title
    self.element = element
    self.finish = finish
    _text = State(initialValue: element.text)
    _color = State(initialValue: element.textColor)
    _design = State(initialValue: element.design)
  }

  private var isEmpty: Bool { text.trimmingCharacters(in: .whitespaces).isEmpty }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text(title)
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      TextField("Your words", text: $text)
        .onSubmit { submit() }
      ColorRow(selection: $color)
      HStack {
        ForEach(Font.Design.allCases, id: \.self) { choice in
          Button {
            design = choice
          } label: {
            Text("Aa").font(.title2).fontDesign(choice)
          }
          .buttonStyle(.bordered)
          .accessibilityLabel("\(choice)".capitalized)
          .accessibilityAddTraits(choice == design ? [.isToggle, .isSelected] : .isToggle)
        }
      }
      .accessibilityGroup("Letters")
      HStack {
        Button("Cancel", role: .cancel) { dismiss() }
          .buttonStyle(.bordered)
        Button(element.text.isEmpty ? "Add" : "Change") { submit() }
          .disabled(isEmpty)
      }
    }
  }

  private func submit() {
    guard !isEmpty else { return }
    var changed = element
    changed.text = text
    changed.textColor = color
    // Letters that this version does not know stay unless others are chosen.
    if design != element.design { changed.textFont = design.rawValue }
    finish(changed)
  }
}
