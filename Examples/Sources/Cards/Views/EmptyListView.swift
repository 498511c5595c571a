import Stage

/// What is shown before there is a card.
struct EmptyListView: View {
  let add: @MainActor () -> Void

  var body: some View {
    VStack(spacing: 20) {
      ZStack {
        ForEach(0..<3) { index in
          RoundedRectangle(cornerRadius: 14)
            .fill(Palette.entries[index * 2].color)
            .frame(width: 104, height: 160)
            .rotationEffect(.degrees(Double(index - 1) * 12))
        }
      }
      .frame(width: 190, height: 190)
      Text("No cards yet")
        .font(.title2)
      Text("Put pictures and words on a card. Everything you do is saved.")
        .foregroundColor(.secondary)
        .multilineTextAlignment(.center)
      Button("Make a card") { add() }
    }
    .padding(24)
  }
}
