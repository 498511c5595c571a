import Stage

@main
struct BarsApp: App {
  var body: some Scene {
    WindowGroup {
      HStack(spacing: 64) {
        VStack(spacing: 24) {
          DemoView()
            .accessibilityLabel("Split the bar")
          Text("A stack that gains a bar")
            .foregroundColor(.secondary)
        }
        VStack(spacing: 24) {
          LinkedBarsView()
          Text("Two bars along guides")
            .foregroundColor(.secondary)
        }
      }
      .padding(32)
    }
  }
}
