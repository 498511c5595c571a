import Stage

/// The outlines that an image can have.
struct FrameSheet: View {
  @Environment(\.dismiss) private var dismiss
  let element: ImageElement
  let choose: @MainActor (AnyShape?) -> Void

  private var chosen: Int? { Shapes.shapes.firstIndex { $0 == element.frame } }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text("Frame")
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      LazyVGrid(columns: .adaptive(minimum: 88), spacing: 12) {
        ForEach(0..<Shapes.shapes.count) { index in
          Button {
            choose(Shapes.shapes[index])
          } label: {
            Shapes.shapes[index]
              .fill(.accentColor)
              .frame(width: 56, height: 56)
          }
          .buttonStyle(.bordered)
          .accessibilityLabel(Shapes.names[index])
          .radioButton(isChosen: index == chosen, isReached: index == chosen ?? 0)
        }
      }
      .radioGroup("Frames", isManual: true)
      HStack {
        Button("Cancel", role: .cancel) { dismiss() }
          .buttonStyle(.bordered)
        Button("No frame") { choose(nil) }
          .buttonStyle(.bordered)
          .disabled(element.frameIndex == nil)
      }
    }
  }
}
