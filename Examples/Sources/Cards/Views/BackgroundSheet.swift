import Stage

/// The color behind everything on a card.
struct BackgroundSheet: View {
  @EnvironmentObject private var store: CardStore
  @State private var color: Color
  private let id: UUID
  private let done: @MainActor () -> Void

  init(card: Card, done: @escaping @MainActor () -> Void) {
    id = card.id
    self.done = done
    _color = State(initialValue: card.backgroundColor)
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text("Background")
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      ColorRow(selection: $color)
      Button("Done") { done() }
    }
    .onChange(of: color) { color in
      store.edit(id) { $0.backgroundColor = color }
    }
  }
}
