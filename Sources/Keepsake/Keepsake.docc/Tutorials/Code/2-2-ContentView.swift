import Stage

struct ContentView: View {
  var body: some View {
    VStack(spacing: 20) {
      Text("Squat")
        .font(.largeTitle)
      Text("Feet as wide as your shoulders, back straight.")
        .foregroundColor(.secondary)
      RatingView()
    }
    .padding(32)
  }
}
