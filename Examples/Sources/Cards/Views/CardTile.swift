import Stage

/// A card in the list: what is on it, its name, and a way to remove it.
struct CardTile: View {
  @EnvironmentObject private var store: CardStore
  let id: UUID
  let open: @MainActor () -> Void

  var body: some View {
    if let card = store.card(id) {
      VStack(spacing: 10) {
        Button {
          open()
        } label: {
          CardThumbnail(card: card)
        }
        .buttonStyle(.plain)
        .accessibilityLabel("Open \(card.title)")
        .opens(id)
        HStack {
          VStack(alignment: .leading, spacing: 2) {
            if let name = card.name, !name.isEmpty {
              Text(name)
                .font(.caption)
                .inOneLine()
                .help(name)
            }
            Text(card.created.map { $0.formatted(date: .abbreviated, time: .omitted) } ?? "")
              .font(.caption)
              .foregroundColor(.secondary)
          }
          Spacer()
          Button {
            withAnimation { store.remove(id) }
          } label: {
            Image(systemName: "trash")
          }
          .buttonStyle(.plain)
          .foregroundColor(.secondary)
          .accessibilityLabel("Remove \(card.title)")
        }
      }
    }
  }
}
