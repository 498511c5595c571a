import Stage

/// A window that has something to show, and can show another one.
struct ContentView: View {
  @SceneStorage("name") private var name = ""
  @SceneStorage("selectedTab") private var selectedTab = 0

  var body: some View {
    TabView(selection: $selectedTab) {
      SlideView(name: $name)
        .tabItem { Text("Slide") }
        .tag(0)
      MirrorView()
        .tabItem { Text("Mirror") }
        .tag(1)
    }
    .navigationTitle(name)
  }
}
