import Stage

/// What an audience sees: a title, and how many hands are up.
struct SlideView: View {
  @Binding var name: String
  @SceneStorage("hands") private var hands = 0

  var body: some View {
    VStack(spacing: 24) {
      TextField("Title", text: $name)
      Text("Hands up: \(hands)")
        .font(.title)
      HStack(spacing: 16) {
        Button("Raise") { hands += 1 }
        Button("Lower") { hands = max(0, hands - 1) }
      }
    }
    .padding(32)
  }
}
