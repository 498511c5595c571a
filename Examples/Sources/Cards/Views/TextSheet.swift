import Stage

/// A text, its color and its letters.
struct TextSheet: View {
  @Environment(\.dismiss) private var dismiss
  @State private var text: String
  @State private var color: Color
  @State private var design: Font.Design
  @State private var size: Double?
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
    _size = State(initialValue: element.fontSize)
  }

  private var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text(title)
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      TextField("Your words", text: $text, axis: .vertical)
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
        sizeButton("Smaller letters", symbol: "minus", factor: 1 / 1.25)
        Text(size.map { $0.formatted(.number.precision(.fractionLength(0))) } ?? "Fills the box")
          .accessibilityStatus()
        sizeButton("Larger letters", symbol: "plus", factor: 1.25)
        Button("One line that fills the box") { size = nil }
          .buttonStyle(.bordered)
          .accessibilityAddTraits(size == nil ? [.isToggle, .isSelected] : .isToggle)
          .disabled(text.contains("\n"))
      }
      .accessibilityGroup("Size")
      HStack {
        Button("Cancel", role: .cancel) { dismiss() }
          .buttonStyle(.bordered)
        Button(element.text.isEmpty ? "Add" : "Change") { submit() }
          .disabled(isEmpty)
      }
    }
    .dismissalConfirmationDialog(
      shouldPresent: color != element.textColor || design != element.design
        || size != element.fontSize)
  }

  private func sizeButton(_ label: String, symbol: String, factor: Double) -> some View {
    Button {
      let sizes = TextElement.fontSizes
      let next = size.map { ($0 * factor).rounded() } ?? TextElement.defaultFontSize
      size = min(max(next, sizes.lowerBound), sizes.upperBound)
    } label: {
      Image(systemName: symbol)
    }
    .buttonStyle(.bordered)
    .accessibilityLabel(label)
    .help(label)
  }

  private func submit() {
    guard !isEmpty else { return }
    var changed = element
    changed.text = text
    changed.textColor = color
    // Letters that this version does not know stay unless others are chosen.
    if design != element.design { changed.textFont = design.rawValue }
    changed.fontSize = text.contains("\n") ? size ?? TextElement.defaultFontSize : size
    if changed.text != element.text || changed.fontSize != element.fontSize { changed.makeRoom() }
    finish(changed)
  }
}
