import Stage

@main
struct MyHIITFitApp: App {
  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
