import Stage

/// A text, its color and its letters.
struct TextSheet: View {
  @Environment(\.dismiss) private var dismiss
  let title: String
  /// The text when the sheet came.
  let element: TextElement
  /// The text as it is now.
  @Binding var draft: TextElement
  let finish: @MainActor (TextElement) -> Void

  private var isComplete: Bool {
    !draft.text.allSatisfy(\.isWhitespace) && !draft.text.isTooLong
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text(title)
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      TextField("Your words", text: $draft.text, axis: .vertical)
        .onSubmit { submit() }
      LimitView(name: "text", text: draft.text)
      ColorRow(selection: $draft.textColor)
      HStack {
        ForEach(Font.Design.allCases, id: \.self) { choice in
          Button {
            // Letters that this version does not know stay unless others are chosen.
            draft.textFont = choice == element.design ? element.textFont : choice.rawValue
          } label: {
            Text("Aa").font(.title2).fontDesign(choice)
          }
          .buttonStyle(.bordered)
          .accessibilityLabel("\(choice)".capitalized)
          .radioButton(isChosen: choice == draft.design, isReached: choice == draft.design)
        }
      }
      .radioGroup("Letters")
      HStack {
        sizeButton("Smaller letters", symbol: "minus", factor: 1 / 1.25)
        Text(
          draft.fontSize.map { $0.formatted(.number.precision(.fractionLength(0))) }
            ?? "Fills the box"
        )
        .accessibilityStatus()
        // As wide for each size, so that nothing moves when another is chosen.
        .frame(width: 110)
        sizeButton("Larger letters", symbol: "plus", factor: 1.25)
      }
      .accessibilityGroup("Size")
      Button("One line that fills the box") { draft.fontSize = nil }
        .buttonStyle(.bordered)
        .accessibilityAddTraits(draft.fontSize == nil ? [.isToggle, .isSelected] : .isToggle)
        .disabled(draft.text.contains("\n"))
      HStack {
        Button("Cancel", role: .cancel) { dismiss() }
          .buttonStyle(.bordered)
        Button(element.text.isEmpty ? "Add" : "Change") { submit() }
          .disabled(!isComplete)
      }
    }
    .dismissalConfirmationDialog(
      shouldPresent: draft.text != element.text || draft.textColor != element.textColor
        || draft.textFont != element.textFont || draft.fontSize != element.fontSize)
  }

  private func sizeButton(_ label: String, symbol: String, factor: Double) -> some View {
    Button {
      let sizes = TextElement.fontSizes
      let next = draft.fontSize.map { ($0 * factor).rounded() } ?? TextElement.defaultFontSize
      draft.fontSize = min(max(next, sizes.lowerBound), sizes.upperBound)
    } label: {
      Image(systemName: symbol)
    }
    .buttonStyle(.bordered)
    .accessibilityLabel(label)
    .help(label)
  }

  private func submit() {
    guard isComplete else { return }
    var changed = draft
    if changed.text.contains("\n") {
      changed.fontSize = changed.fontSize ?? TextElement.defaultFontSize
    }
    if changed.fontSize == nil, element.fontSize != nil {
      changed.transform.size.height = max(changed.transform.size.height, TextElement.filledHeight)
    }
    finish(changed)
  }
}
