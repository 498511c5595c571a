import Stage

@main
struct WorkingDirectoryApp: App {
  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
