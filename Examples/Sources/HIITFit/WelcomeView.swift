import Stage

struct WelcomeView: View {
  @Binding var selectedTab: Int

  var body: some View {
    VStack(spacing: 20) {
      Image(systemName: "flame.fill")
        .font(.system(size: 56))
        .foregroundColor(.orange)
      Text("Get fit")
        .font(.largeTitle)
        .accessibilityAddTraits(.isHeader)
      Text("with high intensity interval training")
        .foregroundColor(.secondary)
      Button("Get Started") { selectedTab = 0 }
    }
    .padding(24)
  }
}
