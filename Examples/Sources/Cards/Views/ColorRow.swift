import Stage

/// The palette, and a field for any other color.
struct ColorRow: View {
  @Binding var selection: Color

  /// The chosen color of the palette; otherwise the first, where the keyboard comes in.
  private var reached: Palette.Entry? {
    Palette.entries.first { $0.color == selection } ?? Palette.entries.first
  }

  var body: some View {
    LazyVGrid(columns: .adaptive(minimum: 36), spacing: 10) {
      ForEach(Palette.entries) { entry in
        Button {
          selection = entry.color
        } label: {
          Circle()
            .fill(entry.color)
            .frame(width: 36, height: 36)
        }
        .buttonStyle(.plain)
        .accessibilityLabel(entry.name)
        .radioButton(isChosen: entry.color == selection, isReached: entry.id == reached?.id)
      }
    }
    .radioGroup("Colors")
    ColorPicker("Another color", selection: $selection)
  }
}
