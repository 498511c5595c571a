import Stage

struct WelcomeView: View {
  @EnvironmentObject private var configuration: LiveConfiguration<HIITFitConfiguration>
  @Binding var selectedTab: Int
  @SceneStorage("isShowingHistory") private var isShowingHistory = false

  var body: some View {
    VStack(spacing: 20) {
      Image(systemName: "flame.fill")
        .font(.system(size: 56))
        .foregroundColor(.orange)
      Text(configuration.welcomeTitle)
        .font(.largeTitle)
        .accessibilityHeading(.h1)
      Text(configuration.welcomeText)
        .foregroundColor(.secondary)
      Button("Get Started") { selectedTab = 0 }
      Button {
        isShowingHistory = true
      } label: {
        Label("History", systemImage: "clock.arrow.circlepath")
      }
      .buttonStyle(.bordered)
    }
    .multilineTextAlignment(.center)
    .padding(24)
    .sheet(isPresented: $isShowingHistory) {
      HistoryView { isShowingHistory = false }
    }
  }
}
