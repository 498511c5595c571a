import Stage

@main
struct BarsApp: App {
  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
