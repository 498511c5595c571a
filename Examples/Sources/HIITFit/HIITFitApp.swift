import Stage

@main
struct HIITFitApp: App {
  // The app keeps the store, so that no tab or window that comes and goes takes it along.
  @StateObject private var history = HistoryStore()
  @StateObject private var live = LiveConfiguration<HIITFitConfiguration>.opened(
    HIITFitConfiguration.file, environment: "Production")

  var configuration: EnvironmentConfiguration? { live.source }

  var body: some Scene {
    WindowGroup {
      ContentView()
        .environmentObject(history)
        .environmentObject(live)
        .onAppear {
          print(
            FileManager.default.urls(
              for: .documentDirectory,
              in: .userDomainMask))
        }
    }
  }
}
