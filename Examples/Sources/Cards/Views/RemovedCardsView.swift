import Stage

/// The cards in the trash, folded away, each of which can be brought back.
struct RemovedCardsView: View {
  @EnvironmentObject private var store: CardStore
  let restored: @MainActor (UUID) -> Void

  var body: some View {
    DisclosureGroup("Recently removed") {
      VStack(alignment: .leading, spacing: 8) {
        ForEach(store.removed.reversed()) { card in
          HStack {
            VStack(alignment: .leading, spacing: 2) {
              Text(card.title)
              Text("Removed \(card.date.formatted(date: .abbreviated, time: .standard))")
                .foregroundColor(.secondary)
            }
            Spacer()
            Button("Bring back") {
              withAnimation { store.restore(card) }
              restored(card.id)
            }
            .buttonStyle(.bordered)
            .accessibilityLabel("Bring \(card.title) back")
          }
          .accessibilityListItem()
        }
      }
      .accessibilityList("Removed cards")
    }
    .padding(24)
  }
}
