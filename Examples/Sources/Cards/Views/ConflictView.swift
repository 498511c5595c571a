import Stage

/// Says that somebody else changed a card on which there are unsaved changes, and asks what to keep.
///
/// Where both changes can be made, they are, and nobody is asked.
struct ConflictView: View {
  @EnvironmentObject private var store: CardStore
  let id: UUID
  let conflict: DocumentConflict

  private var isRemoved: Bool { conflict.theirs == nil }

  var body: some View {
    if isRemoved || !conflict.overlaps.isEmpty {
      VStack(spacing: 10) {
        Text(
          isRemoved
            ? "This card was removed elsewhere while you changed it."
            : "This card was changed elsewhere in the same place as here.")
        HStack {
          Button("Keep mine") { store.resolve(id, .takeMine) }
            .buttonStyle(.bordered)
          if !isRemoved {
            Button("Keep both") { store.resolve(id, .keepBoth) }
              .buttonStyle(.bordered)
          }
          Button(isRemoved ? "Remove it" : "Keep theirs") { store.resolve(id, .takeTheirs) }
            .buttonStyle(.bordered)
        }
      }
      .padding(12)
    } else {
      EmptyView()
        .onAppear { store.resolve(id, .merge) }
    }
  }
}
