import Stage

struct WelcomeView: View {
  @Binding var selectedTab: Int
  @State private var isShowingHistory = false

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
      Button {
        isShowingHistory = true
      } label: {
        Label("History", systemImage: "clock.arrow.circlepath")
      }
      .buttonStyle(.bordered)
    }
    .padding(24)
    .sheet(isPresented: $isShowingHistory) {
      HistoryView { isShowingHistory = false }
    }
  }
}
