import Stage

/// The palette, and a field for any other color.
struct ColorRow: View {
  @Binding var selection: Color

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
        .accessibilityAddTraits(
          entry.color == selection ? [.isToggle, .isSelected] : .isToggle)
      }
    }
    .accessibilityGroup("Colors")
    ColorPicker("Another color", selection: $selection)
  }
}
