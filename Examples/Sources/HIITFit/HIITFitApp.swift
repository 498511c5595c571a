import Stage

@main
struct HIITFitApp: App {
  // The app keeps the store, so that no tab or window that comes and goes takes it along.
  @StateObject private var history = HistoryStore()

  var body: some Scene {
    WindowGroup {
      ContentView()
        .environmentObject(history)
        .onAppear {
          print(
            FileManager.default.urls(
              for: .documentDirectory,
              in: .userDomainMask))
        }
    }
  }
}
