import Stage

@main
struct SideMirrorApp: App {
  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
